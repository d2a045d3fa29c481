// SPDX-License-Identifier: GPL-3.0-or-later
// A few blocks stay and take rows from a counter
#include "problem.h"

extern "C" size_t workspace_bytes(const Problem&) { return sizeof(int); }

__global__ void affine(Problem p, int* next) {
    __shared__ int row;
    for (;;) {
        if (threadIdx.x == 0) {
            row = atomicAdd(next, 1);
        }
        __syncthreads();
        const int mine = row;
        __syncthreads();
        if (mine >= p.rows) {
            return;
        }
        for (int col = threadIdx.x; col < p.cols; col += blockDim.x) {
            p.y[mine * p.cols + col] = p.x[mine * p.cols + col] * p.scale[mine] + 1;
        }
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    hipMemsetAsync(workspace, 0, sizeof(int), stream);
    affine<<<dim3(4), dim3(256), 0, stream>>>(p, static_cast<int*>(workspace));
    return hipGetLastError();
}
