// SPDX-License-Identifier: GPL-3.0-or-later
#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>

__global__ void someWait() {
    if (blockIdx.x != 2) {
        cooperative_groups::this_grid().sync();
    }
}

int main() {
    (void)hipLaunchCooperativeKernel(someWait, dim3(4), dim3(64), nullptr, 0, nullptr);
    return hipDeviceSynchronize();
}
