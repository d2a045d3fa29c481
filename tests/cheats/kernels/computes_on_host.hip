// SPDX-License-Identifier: GPL-3.0-or-later
// Row 10: reads and writes the tensors in plain host code, which no GPU would let it do
// Caught: crashed: host code touches the tensor x
#include "problem.h"


extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    for (int i = 0; i < p.rows * p.cols; ++i) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
    }
    return hipGetLastError();
}
