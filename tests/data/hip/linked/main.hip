// SPDX-License-Identifier: GPL-3.0-or-later
// Functions, variables and kernels of another source.
#include "lookup.h"

static __device__ int own = 40;

__global__ void asks(float* out) {
    const int t = static_cast<int>(threadIdx.x);
    out[t] = twice(looksUp(static_cast<float>(t), t)) + static_cast<float>(own);
}

int main() {
    const std::vector<float> values = {1, 2, 3, 4};
    fillTable(values);
    Device<float> out(256);
    asks<<<1, 256>>>(out.get());
    asks<<<1, 256>>>(out.get());
    const auto found = out.read();
    bool right = true;
    for (int t = 0; t < 256; ++t) {
        const int neighbour = t ^ 1;
        right = right && found[t] == 2 * (2 * static_cast<float>(neighbour) * values[neighbour % 4] + 3) + 40;
    }
    expect("a function of another source", right);
    expect("its variable and its kernel there", lookupsSoFar() == 7);
    int count = 1;
    HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(lookups), &count, sizeof(count)));
    Device<int> counted(1);
    countsLookups<<<1, 1>>>(counted.get());
    expect("and here", counted.read()[0] == 1);
    return verdict();
}
