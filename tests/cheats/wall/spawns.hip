// SPDX-License-Identifier: GPL-3.0-or-later
// Starts a program
#include "problem.h"
#include <spawn.h>

__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
    }
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    char program[] = "/bin/sh";
    char* arguments[] = {program, nullptr};
    pid_t child = 0;
    if (posix_spawn(&child, program, nullptr, nullptr, arguments, nullptr) == 0) {
        return hipErrorUnknown;
    }
    affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
