// SPDX-License-Identifier: GPL-3.0-or-later
#include <hip/hip_runtime.h>

#include <cstdlib>

__device__ int one() {
    return 1;
}
__device__ int (*known)() = one;

__global__ void callsWhatItIsGiven(int (*function)(), int* result) {
    *result = known() + function();
}

// The address of a function of the host, which device code could find by searching memory.
int main() {
    int* result = nullptr;
    hipMalloc(&result, sizeof *result);
    callsWhatItIsGiven<<<1, 1>>>(std::rand, result);
    return hipDeviceSynchronize() == hipSuccess ? 0 : 1;
}
