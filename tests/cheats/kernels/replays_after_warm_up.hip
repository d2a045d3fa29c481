// SPDX-License-Identifier: GPL-3.0-or-later
// Row 3: computes during the first 8 calls, then replays what it recorded
// Caught: build-failed: hipMalloc allocates memory of the device
#include "problem.h"

__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    static int calls = 0;
    static float* recorded = nullptr;
    static size_t recorded_bytes = 0;
    const size_t bytes = sizeof(float) * p.rows * p.cols;
    if (++calls > 8 && recorded_bytes == bytes) {
        return hipMemcpyAsync(p.y, recorded, bytes, hipMemcpyDeviceToDevice, stream);
    }
    affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(p);
    if (recorded_bytes != bytes) {
        hipMalloc(reinterpret_cast<void**>(&recorded), bytes);
        recorded_bytes = bytes;
    }
    hipMemcpyAsync(recorded, p.y, bytes, hipMemcpyDeviceToDevice, stream);
    return hipGetLastError();
}
