// SPDX-License-Identifier: GPL-3.0-or-later
// Row 4: returns what it finds in its workspace
// Caught: wrong: elements differ
#include "problem.h"

extern "C" size_t workspace_bytes(const Problem& p) { return sizeof(float) * p.rows * p.cols; }

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    return hipMemcpyAsync(p.y, workspace, sizeof(float) * p.rows * p.cols, hipMemcpyDeviceToDevice, stream);
    return hipGetLastError();
}
