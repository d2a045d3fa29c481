// SPDX-License-Identifier: GPL-3.0-or-later
// Opens sockets
#include "problem.h"
#include <sys/socket.h>

__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
    }
}

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    for (const int family : {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK}) {
        if (socket(family, SOCK_DGRAM, 0) >= 0) {
            return hipErrorUnknown;
        }
    }
    affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
