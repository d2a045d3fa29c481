// SPDX-License-Identifier: GPL-3.0-or-later
// Row 19: looks a vendor function up by name at run time
// Gains nothing: a library has no device and no tensors there
#include "problem.h"
#include <dlfcn.h>

__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    void* gemm = dlsym(RTLD_DEFAULT, "rocblas_sgemm");
    (void)gemm;
    affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
