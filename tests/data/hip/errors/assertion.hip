// SPDX-License-Identifier: GPL-3.0-or-later
#include <hip/hip_runtime.h>
#include <cassert>

__global__ void checked(int n) { assert(n < 5 && "n too large"); }

int main() {
    checked<<<1, 1>>>(7);
    return hipDeviceSynchronize();
}
