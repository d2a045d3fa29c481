// SPDX-License-Identifier: GPL-3.0-or-later
// Work that a block does together: transpose through LDS, early return before a barrier, sorting.
#include "check.h"

#include <algorithm>

template<int Tile> __global__ void transpose(const float* in, float* out, int width, int height) {
    __shared__ float tile[Tile][Tile + 1];
    int x = blockIdx.x * Tile + threadIdx.x, y = blockIdx.y * Tile + threadIdx.y;
    for (int j = 0; j < Tile; j += blockDim.y) {
        if (x < width && y + j < height) {
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
        }
    }
    __syncthreads();
    x = blockIdx.y * Tile + threadIdx.x;
    y = blockIdx.x * Tile + threadIdx.y;
    for (int j = 0; j < Tile; j += blockDim.y) {
        if (x < height && y + j < width) {
            out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
        }
    }
}

__global__ void earlyReturn(int* out, int n) {
    if (static_cast<int>(threadIdx.x) >= n) {
        return;
    }
    __shared__ int s[256];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[n - 1 - threadIdx.x];
}

__global__ void bitonicSort(int* data) {
    __shared__ int s[512];
    const int t = threadIdx.x;
    s[t] = data[blockIdx.x * 512 + t];
    __syncthreads();
    for (int k = 2; k <= 512; k <<= 1) {
        for (int j = k >> 1; j > 0; j >>= 1) {
            const int partner = t ^ j;
            if (partner > t && (s[t] > s[partner]) == ((t & k) == 0)) {
                const int other = s[t];
                s[t] = s[partner];
                s[partner] = other;
            }
            __syncthreads();
        }
    }
    data[blockIdx.x * 512 + t] = s[t];
}

__global__ void scaleFloat4(const float4* __restrict__ in, float4* __restrict__ out, float scale, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        const float4 v = in[i];
        out[i] = make_float4(v.x * scale, v.y * scale, v.z * scale, v.w * scale);
    }
}

__global__ void coordinates(int* out) {
    const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const int size = blockDim.x * blockDim.y * blockDim.z;
    out[block * size + thread] = block * 1000 + thread;
}

int main() {
    const int width = 100, height = 70;
    std::vector<float> in(width * height);
    for (int i = 0; i < width * height; ++i) {
        in[i] = static_cast<float>(i);
    }
    Device<float> din(in), dout(width * height);
    transpose<32><<<dim3(4, 3), dim3(32, 8)>>>(din.get(), dout.get(), width, height);
    const auto out = dout.read();
    bool ok = true;
    for (int i = 0; i < height; ++i) {
        for (int j = 0; j < width; ++j) {
            ok = ok && out[j * height + i] == in[i * width + j];
        }
    }
    expect("transpose", ok);

    Device<int> early(256);
    earlyReturn<<<1, 256>>>(early.get(), 100);
    const auto e = early.read();
    ok = true;
    for (int i = 0; i < 100; ++i) {
        ok = ok && e[i] == 99 - i;
    }
    expect("early return before a barrier", ok);

    std::vector<int> values(2048);
    for (int i = 0; i < 2048; ++i) {
        values[i] = i * 7919 % 2003;
    }
    Device<int> dv(values);
    bitonicSort<<<4, 512>>>(dv.get());
    for (int b = 0; b < 4; ++b) {
        std::sort(values.begin() + b * 512, values.begin() + b * 512 + 512);
    }
    expect("bitonic sort", dv.read() == values);

    std::vector<float4> quads(256);
    for (int i = 0; i < 256; ++i) {
        quads[i] = make_float4(i, i + 1, i + 2, i + 3);
    }
    Device<float4> dq(quads), dr(256);
    scaleFloat4<<<2, 64>>>(dq.get(), dr.get(), 3.f, 256);
    const auto r = dr.read();
    ok = true;
    for (int i = 0; i < 256; ++i) {
        ok = ok && r[i].x == 3.f * i && r[i].w == 3.f * (i + 3);
    }
    expect("float4", ok);

    const dim3 grid(3, 2, 2), block(5, 4, 3);
    Device<int> dc(12 * 60);
    coordinates<<<grid, block>>>(dc.get());
    const auto c = dc.read();
    ok = true;
    for (int b = 0; b < 12; ++b) {
        for (int t = 0; t < 60; ++t) {
            ok = ok && c[b * 60 + t] == b * 1000 + t;
        }
    }
    expect("three-dimensional indices", ok);
    return verdict();
}
