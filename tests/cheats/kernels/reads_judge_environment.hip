// SPDX-License-Identifier: GPL-3.0-or-later
// Row 9: reads the environment of its parent through a stream of the C++ library
// Gains nothing: host code runs in a process of its own behind the wall, where there is nothing to reach
#include "problem.h"
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    static const std::string found = [] {
        std::ifstream file("/proc/" + std::to_string(getppid()) + "/environ");
        return std::string(std::istreambuf_iterator<char>(file), {});
    }();
    (void)found;
    affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
