// SPDX-License-Identifier: GPL-3.0-or-later
#include <hip/hip_runtime.h>

__global__ void k(int* out) {
    int x = threadIdx.x, y;
    asm volatile("s_waitcnt vmcnt(0)\n s_nop 1");
    asm volatile("" ::: "memory");
    asm volatile("" : "+v"(x));
    asm volatile("v_add_u32 %0, %1, %2\n s_setreg_imm32_b32 hwreg(HW_REG_MODE), 0" : "=v"(y) : "v"(x), "v"(x));
    out[x] = y;
}

int main() { k<<<1, 64>>>(nullptr); }
