// SPDX-License-Identifier: GPL-3.0-or-later
// A float that begins at an odd byte.
#include <hip/hip_runtime.h>

__global__ void put(char* bytes) { *reinterpret_cast<float*>(bytes + 4 * threadIdx.x + 1) = 1; }

int main() {
    char* bytes;
    (void)hipMalloc(&bytes, 1024);
    put<<<1, 64>>>(bytes);
    return hipDeviceSynchronize();
}
