// SPDX-License-Identifier: GPL-3.0-or-later
#include <hip/hip_runtime.h>

__global__ void leavesSome(int* out) {
    asm volatile("s_mov_b64 exec, 0xff" ::: "exec");
    out[threadIdx.x] = 1;
}

int main() {
    int* out;
    (void)hipMalloc(&out, 64 * sizeof(int));
    leavesSome<<<1, 64>>>(out);
    return hipDeviceSynchronize();
}
