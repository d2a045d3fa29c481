// SPDX-License-Identifier: GPL-3.0-or-later
// Row 10: computes in std::async
// Caught: build-failed: the second call of solve() does a launch that the first has not done
#include "problem.h"
#include <chrono>
#include <future>
#include <thread>

__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    static std::future<void> late;
    late = std::async(std::launch::async, [p, stream] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50)); // solve() has returned
        affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(p);
    });
    return hipGetLastError();
}
