// SPDX-License-Identifier: GPL-3.0-or-later
// Row 10, 31: brings a hidden function with the name of the runtime's guard, and computes on the host
// Caught: crashed: host code touches the tensor
#include "problem.h"

extern "C" __attribute__((visibility("hidden"))) void __hipHostAccess(const void*, unsigned long) {}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    for (int i = 0; i < p.rows * p.cols; ++i) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
    }
    return hipGetLastError();
}
