// SPDX-License-Identifier: GPL-3.0-or-later
#include <hip/hip_runtime.h>

typedef float floatx4 __attribute__((ext_vector_type(4)));
typedef _Float16 halfx8 __attribute__((ext_vector_type(8)));
__device__ floatx4 multiply(halfx8 a, halfx8 b, floatx4 c, int, int, int) __asm("llvm.amdgcn.mfma.f32.16x16x32.f16");

__global__ void k(const halfx8* a, floatx4* c) { c[0] = multiply(a[0], a[1], c[0], 0, 0, 0); }

int main() {}
