// Bandwidth of copies by the width of a load, beside an almost empty launch
// SPDX-License-Identifier: GPL-3.0-or-later
//
// probe: launch
// probe: copy_4_bytes bytes=2*4*1048576 less=launch
// probe: copy_16_bytes bytes=2*4*1048576 less=launch
#include "problem.h"

constexpr int ELEMENTS = 1 << 20;
constexpr int THREADS = 256;

__device__ void mark(const Problem& p) {
    if (blockIdx.x == 0 && int(threadIdx.x) < p.variant) {
        p.y[threadIdx.x] = p.x[threadIdx.x];
    }
}

__global__ void launch_alone(Problem p) {
    mark(p);
}

template<class Word>
__global__ void copy(Problem p, Word* to) {
    mark(p);
    const int i = blockIdx.x * THREADS + threadIdx.x;
    to[i] = reinterpret_cast<const Word*>(p.x)[i];
}

extern "C" size_t workspace_bytes(const Problem&) {
    return ELEMENTS * sizeof(float);
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    if (p.variant == 1) {
        launch_alone<<<1, THREADS, 0, stream>>>(p);
    } else if (p.variant == 2) {
        copy<float><<<ELEMENTS / THREADS, THREADS, 0, stream>>>(p, static_cast<float*>(workspace));
    } else {
        copy<float4><<<ELEMENTS / 4 / THREADS, THREADS, 0, stream>>>(p, static_cast<float4*>(workspace));
    }
    return hipGetLastError();
}
