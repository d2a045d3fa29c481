// SPDX-License-Identifier: GPL-3.0-or-later
// Row 19: loads device code that somebody else compiled
// Caught: build-failed: loads device code that is not in its source
#include "problem.h"

extern "C" __attribute__((weak)) hipError_t hipModuleLoadData(hipModule_t*, const void*);
__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    static const char image[64] = "\x7f" "ELF";
    hipModule_t module = nullptr;
    if (&hipModuleLoadData != nullptr) {
        hipModuleLoadData(&module, image);
    }
    affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
