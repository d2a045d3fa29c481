// SPDX-License-Identifier: GPL-3.0-or-later
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>

__global__ void pass(int* x, int* y) {
    x[blockIdx.x] = 1 + blockIdx.x;
    cooperative_groups::this_grid().sync();
    y[blockIdx.x] = x[(blockIdx.x + 1) % gridDim.x]; // behind the barrier
    x[blockIdx.x] = 5 + blockIdx.x;                  // where the block before may still read
    cooperative_groups::this_grid().sync();
}

int main() {
    int *x, *y;
    (void)hipMalloc(&x, 4 * sizeof(int));
    (void)hipMalloc(&y, 4 * sizeof(int));
    void* arguments[] = {&x, &y};
    (void)hipLaunchCooperativeKernel(pass, dim3(4), dim3(1), arguments, 0, nullptr);
    return hipDeviceSynchronize();
}
