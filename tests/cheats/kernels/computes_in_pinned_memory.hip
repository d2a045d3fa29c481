// SPDX-License-Identifier: GPL-3.0-or-later
// Row 10: copies its input to pinned memory, which the host may touch, computes there and copies the result back
// Caught: build-failed: reads results back to the host
// Problem: row-softmax
#include "problem.h"
#include <cmath>

static void softmax(const Problem& p, const float* in, float* out) {
    for (int row = 0; row < p.rows; ++row) {
        const float* x = in + size_t(row) * p.cols;
        float* y = out + size_t(row) * p.cols;
        float largest = x[0];
        for (int i = 1; i < p.cols; ++i) {
            largest = x[i] > largest ? x[i] : largest;
        }
        float sum = 0;
        for (int i = 0; i < p.cols; ++i) {
            y[i] = std::exp(x[i] - largest);
            sum += y[i];
        }
        for (int i = 0; i < p.cols; ++i) {
            y[i] /= sum;
        }
    }
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    static float* values = nullptr;
    static size_t room = 0;
    const size_t bytes = size_t(p.rows) * p.cols * sizeof(float);
    if (room < bytes) {
        if (const hipError_t error = hipHostMalloc(&values, bytes, 0); error != hipSuccess) {
            return error;
        }
        room = bytes;
    }
    hipMemcpyAsync(values, p.x, bytes, hipMemcpyDeviceToHost, stream);
    if (const hipError_t error = hipStreamSynchronize(stream); error != hipSuccess) {
        return error;
    }
    softmax(p, values, values);
    return hipMemcpyAsync(p.y, values, bytes, hipMemcpyHostToDevice, stream);
}
