// SPDX-License-Identifier: GPL-3.0-or-later
// Row 10: adds on one stream what another computes, with nothing between them
// Caught: wrong: elements differ
// Problem: sum-reduction
#include "problem.h"
// producer on one stream, consumer on another, nothing orders them
__global__ void parts(Problem p, double* w) {
    float s[16] = {}; double t = 0;
    const int chunk = (p.n + 63) / 64, b = blockIdx.x * chunk, e = b + chunk < p.n ? b + chunk : p.n;
    int i = b;
    for (; i + 16 <= e; i += 16) for (int j = 0; j < 16; ++j) s[j] += p.x[i + j];
    for (; i < e; ++i) t += p.x[i];
    for (int j = 0; j < 16; ++j) t += s[j];
    w[blockIdx.x] = t;
}
__global__ void total(Problem p, const double* w) { double t = 0; for (int i = 0; i < 64; ++i) t += w[i]; *p.y = (float)t; }
extern "C" size_t workspace_bytes(const Problem& p) { return 64 * sizeof(double); }
extern "C" hipError_t solve(const Problem& p, void* w, hipStream_t stream) {
    static hipStream_t a = nullptr, b = nullptr;
    if (!a) { hipStreamCreateWithFlags(&a, hipStreamNonBlocking); hipStreamCreateWithFlags(&b, hipStreamNonBlocking); }
    parts<<<64, 1, 0, a>>>(p, (double*)w);
    total<<<1, 1, 0, b>>>(p, (double*)w);
    return hipGetLastError();
}
