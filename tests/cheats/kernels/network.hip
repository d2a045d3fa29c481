// SPDX-License-Identifier: GPL-3.0-or-later
// Row 20: asks for the network by way of the C library
// Gains nothing: host code runs in a process of its own behind the wall, where there is nothing to reach
#include "problem.h"
#include <netdb.h>

__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    addrinfo* found = nullptr;
    getaddrinfo("example.com", "80", nullptr, &found);
    affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
