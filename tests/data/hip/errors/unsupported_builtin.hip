// SPDX-License-Identifier: GPL-3.0-or-later
#include <hip/hip_runtime.h>

__device__ void announce(int value) { __builtin_amdgcn_ds_gws_init(value, 1); }
__global__ void k(int* out) { announce(out[0]); }

int main() { k<<<1, 64>>>(nullptr); }
