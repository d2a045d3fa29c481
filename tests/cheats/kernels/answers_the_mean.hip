// SPDX-License-Identifier: GPL-3.0-or-later
// Row 14, 39: answers the mean of all possible sums, which a loose absolute tolerance would take
// Caught: wrong: elements differ
// Problem: sum-reduction
#include "problem.h"

__global__ void answer(Problem p) {
    p.y[0] = 0;
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    answer<<<dim3(1), dim3(1), 0, stream>>>(p);
    return hipGetLastError();
}
