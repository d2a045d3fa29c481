// SPDX-License-Identifier: GPL-3.0-or-later
#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>

__global__ void waits() {
    cooperative_groups::this_grid().sync();
}

int main() {
    waits<<<4, 64>>>();
    return hipDeviceSynchronize();
}
