// SPDX-License-Identifier: GPL-3.0-or-later
#include <hip/hip_runtime.h>

typedef float floatx2 __attribute__((ext_vector_type(2)));
typedef float floatx4 __attribute__((ext_vector_type(4)));

__global__ void xf32(const floatx2* a, floatx4* c) {
    c[threadIdx.x] = __builtin_amdgcn_mfma_f32_16x16x8_xf32(a[threadIdx.x], a[threadIdx.x], c[threadIdx.x], 0, 0, 0);
}

__global__ void assembly(unsigned* p) {
    asm volatile("v_prng_b32 %0, %1" : "=v"(p[0]) : "v"(p[1]));
}

int main() {}
