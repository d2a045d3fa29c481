// SPDX-License-Identifier: GPL-3.0-or-later
// Between the write and the read of s a barrier is missing. In one order of threads the right values happen to be there.
#include "../check.h"

__global__ void shift(int* d) {
    __shared__ int s[256];
    s[threadIdx.x] = d[threadIdx.x] + 1;
    d[threadIdx.x] = threadIdx.x > 0 ? s[threadIdx.x - 1] : 0;
}

int main() {
    std::vector<int> values(256);
    for (int i = 0; i < 256; ++i) {
        values[i] = i;
    }
    Device<int> d(values);
    shift<<<1, 256>>>(d.get());
    bool ok = true;
    const auto r = d.read();
    for (int i = 1; i < 256; ++i) {
        ok = ok && r[i] == i;
    }
    expect("shift by one", ok);
    return verdict();
}
