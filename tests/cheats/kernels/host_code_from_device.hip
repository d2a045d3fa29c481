// SPDX-License-Identifier: GPL-3.0-or-later
// Row 10, 32: calls vectorised host code from a device kernel, so that its time counts as the device
// Caught: crashed: an indirect call leads to no device function
#include "problem.h"

#ifndef __HIP_DEVICE_COMPILE__
static void row(float* y, const float* x, float scale, int cols) {
    for (int i = 0; i < cols; ++i) {
        y[i] = x[i] * scale + 1;
    }
}
#endif
__global__ void calls(Problem p, void (*host)(float*, const float*, float, int)) {
    const int r = blockIdx.x;
    host(p.y + r * p.cols, p.x + r * p.cols, p.scale[r], p.cols);
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
#ifndef __HIP_DEVICE_COMPILE__
    calls<<<dim3(p.rows), dim3(1), 0, stream>>>(p, row);
#endif
    return hipGetLastError();
}
