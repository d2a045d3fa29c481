// SPDX-License-Identifier: GPL-3.0-or-later
#include "lookup.h"

__device__ int lookups = 5;
__constant__ float table[4];
static __device__ int own = 3;

__device__ float looksUp(float x, int i) {
    __shared__ float found[256];
    found[threadIdx.x] = twice(x * table[i % 4]);
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&lookups, 1);
    }
    return found[threadIdx.x ^ 1] + static_cast<float>(own);
}

__global__ void countsLookups(int* out) {
    *out = lookups;
}

void fillTable(const std::vector<float>& values) {
    HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(table), values.data(), sizeof(table)));
}

int lookupsSoFar() {
    Device<int> count(1);
    countsLookups<<<1, 1>>>(count.get());
    return count.read()[0];
}
