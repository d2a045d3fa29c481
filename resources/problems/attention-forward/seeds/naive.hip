// Naive, one thread per query
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A running maximum and sum over all keys.
#include "problem.h"

constexpr int LARGEST_DIM = 128;

__global__ void attention_naive(Problem p) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x; // head and query in one
    if (row >= p.heads * p.seq) {
        return;
    }
    const bf16_t* q = p.q + size_t(row) * p.dim;
    const bf16_t* k = p.k + size_t(row / p.seq) * p.seq * p.dim;
    const bf16_t* v = p.v + size_t(row / p.seq) * p.seq * p.dim;
    const float scale = 1.0f / sqrtf(float(p.dim));

    float out[LARGEST_DIM] = {};
    float largest = -3.0e38f, sum = 0;
    for (int j = 0; j < p.seq; ++j) {
        float score = 0;
        for (int d = 0; d < p.dim; ++d) {
            score += to_float(q[d]) * to_float(k[size_t(j) * p.dim + d]);
        }
        score *= scale;
        const float next = fmaxf(largest, score);
        const float fade = expf(largest - next), weight = expf(score - next);
        for (int d = 0; d < p.dim; ++d) {
            out[d] = out[d] * fade + weight * to_float(v[size_t(j) * p.dim + d]);
        }
        sum = sum * fade + weight;
        largest = next;
    }
    for (int d = 0; d < p.dim; ++d) {
        p.o[size_t(row) * p.dim + d] = to_bf16(out[d] / sum);
    }
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    attention_naive<<<(p.heads * p.seq + 63) / 64, 64, 0, stream>>>(p);
    return hipGetLastError();
}
