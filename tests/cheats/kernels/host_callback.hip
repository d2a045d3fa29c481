// SPDX-License-Identifier: GPL-3.0-or-later
// Row 10: computes in a callback of the stream, on the host
// Caught: build-failed: has the host work in the middle of the device's work
#include "problem.h"


extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    static Problem current;
    current = p;
    hipStreamAddCallback(stream, [](hipStream_t, hipError_t, void*) {
        for (int i = 0; i < current.rows * current.cols; ++i) {
            current.y[i] = current.x[i] * current.scale[i / current.cols] + 1;
        }
    }, nullptr, 0);
    return hipGetLastError();
}
