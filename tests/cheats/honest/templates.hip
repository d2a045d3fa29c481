// SPDX-License-Identifier: GPL-3.0-or-later
// Templates, lambdas and standard headers
#include "problem.h"
#include <array>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

template<int Threads, class Operation>
__global__ __launch_bounds__(Threads) void each(Problem p, Operation operation) {
    static_assert(Threads % 64 == 0, "whole waves");
    for (int i = blockIdx.x * Threads + threadIdx.x; i < p.rows * p.cols; i += gridDim.x * Threads) {
        p.y[i] = operation(p.x[i], p.scale[i / p.cols]);
    }
}

struct Affine {
    float offset;
    __device__ float operator()(float x, float scale) const { return x * scale + offset; }
};

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    constexpr std::array<int, 3> threads = {64, 128, 256};
    static_assert(std::is_trivially_copyable_v<Affine>, "");
    const auto name = std::make_unique<std::string>("affine");
    if (name->empty() || std::strlen(name->c_str()) != 6) {
        throw std::logic_error("never");
    }
    each<threads[2]><<<dim3((p.rows * p.cols + 511) / 512), dim3(threads[2]), 0, stream>>>(p, Affine{1.0F});
    return hipGetLastError();
}
