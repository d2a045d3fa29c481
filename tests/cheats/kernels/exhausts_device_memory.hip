// SPDX-License-Identifier: GPL-3.0-or-later
// Row 20: allocates device memory without end
// Caught: build-failed: hipMalloc allocates memory of the device
#include "problem.h"


extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    for (void* taken = nullptr;;) {
        if (const hipError_t error = hipMalloc(&taken, size_t(1) << 28); error != hipSuccess) {
            return error;
        }
    }
    return hipGetLastError();
}
