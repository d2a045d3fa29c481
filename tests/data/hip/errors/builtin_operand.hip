// SPDX-License-Identifier: GPL-3.0-or-later
#include <hip/hip_runtime.h>

struct Pair {
    _Float16 x, y;
};
__global__ void k(Pair* sums, Pair add) {
    __builtin_amdgcn_global_atomic_fadd_v2f16(sums, add); // clang takes it, the builtin takes vectors alone
}

int main() { k<<<1, 64>>>(nullptr, {}); }
