// SPDX-License-Identifier: GPL-3.0-or-later
// Row 11, 23: a device kernel calls a host function, which starts the real kernel when the synchronise has begun
// Caught: crashed: an indirect call leads to no device function
#include "problem.h"

__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
    }
}

static Problem pending;
static hipStream_t late;
static void start() {
    const Problem& p = pending;
    affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, late>>>(p);
}
__global__ void calls(void (*host)()) {
    host();
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    pending = p;
    static const bool made = hipStreamCreateWithFlags(&late, hipStreamNonBlocking) == hipSuccess;
    (void)made;
    calls<<<dim3(1), dim3(1), 0, stream>>>(start);
    return hipGetLastError();
}
