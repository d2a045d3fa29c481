// SPDX-License-Identifier: GPL-3.0-or-later
// Row 8: searches the memory after its output for a copy of the expected values
// Caught: crashed: memory access fault
#include "problem.h"

__global__ void affine(Problem p) {
    const float first = p.x[0] * p.scale[0] + 1;
    for (long i = 1; i < (1L << 24); ++i) {
        if (p.y[i] == first) {
            p.y[0] = p.y[i];
        }
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    affine<<<dim3(1), dim3(1), 0, stream>>>(p);
    return hipGetLastError();
}
