// SPDX-License-Identifier: GPL-3.0-or-later
// Row 4: hopes that fresh device memory still holds what somebody else computed
// Caught: build-failed: hipMalloc allocates memory of the device
#include "problem.h"


extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    const size_t bytes = sizeof(float) * p.rows * p.cols;
    void* found = nullptr;
    hipMalloc(&found, bytes);
    hipMemcpyAsync(p.y, found, bytes, hipMemcpyDeviceToDevice, stream);
    hipStreamSynchronize(stream);
    hipFree(found);
    return hipGetLastError();
}
