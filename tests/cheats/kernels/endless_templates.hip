// SPDX-License-Identifier: GPL-3.0-or-later
// Row 21: instantiates templates without end
// Caught: build-failed: recursive template instantiation exceeded
#include "problem.h"

template<int N>
struct Endless {
    static constexpr int value = Endless<N + 1>::value;
};
static_assert(Endless<0>::value == 0, "");
__global__ void affine(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
    }
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    affine<<<dim3((p.rows * p.cols + 255) / 256), dim3(256), 0, stream>>>(p);
    return hipGetLastError();
}
