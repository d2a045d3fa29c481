// SPDX-License-Identifier: GPL-3.0-or-later
#include <hip/hip_runtime.h>

int onlyOnHost(int x) { return x + 1; }
__global__ void k(int* out) { out[0] = onlyOnHost(3); }

int main() { k<<<1, 64>>>(nullptr); }
