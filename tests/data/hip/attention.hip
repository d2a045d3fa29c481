// SPDX-License-Identifier: GPL-3.0-or-later
// Row softmax with dynamic LDS, and flash attention with one wave per query row.
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>

#include "check.h"

template<class T> __device__ T waveMax(T v) {
#pragma unroll
    for (int offset = 32; offset > 0; offset >>= 1) {
        v = fmaxf(v, __shfl_xor(v, offset, 64));
    }
    return v;
}
template<class T> __device__ T waveSum(T v) {
#pragma unroll
    for (int offset = 32; offset > 0; offset >>= 1) {
        v += __shfl_xor(v, offset, 64);
    }
    return v;
}

template<class T> __global__ void softmaxRows(const T* __restrict__ x, T* __restrict__ y, int columns) {
    extern __shared__ __align__(16) unsigned char raw[];
    float* partial = reinterpret_cast<float*>(raw);
    const int row = blockIdx.x, t = threadIdx.x, lane = t % 64, wave = t / 64, waves = blockDim.x / 64;
    float m = -INFINITY;
    for (int c = t; c < columns; c += blockDim.x) {
        m = fmaxf(m, static_cast<float>(x[row * columns + c]));
    }
    m = waveMax(m);
    if (lane == 0) {
        partial[wave] = m;
    }
    __syncthreads();
    m = partial[0];
    for (int i = 1; i < waves; ++i) {
        m = fmaxf(m, partial[i]);
    }
    __syncthreads();
    float s = 0;
    for (int c = t; c < columns; c += blockDim.x) {
        s += expf(static_cast<float>(x[row * columns + c]) - m);
    }
    s = waveSum(s);
    if (lane == 0) {
        partial[wave] = s;
    }
    __syncthreads();
    s = 0;
    for (int i = 0; i < waves; ++i) {
        s += partial[i];
    }
    for (int c = t; c < columns; c += blockDim.x) {
        y[row * columns + c] = static_cast<T>(expf(static_cast<float>(x[row * columns + c]) - m) / s);
    }
}

__global__ void attention(const float* q, const float* k, const float* v, float* out, int rows, float scale) {
    constexpr int width = 64, tile = 32;
    __shared__ float ks[tile][width], vs[tile][width + 1];
    const int wave = threadIdx.x / 64, lane = threadIdx.x % 64, row = blockIdx.x * 4 + wave;
    const float own = row < rows ? q[row * width + lane] : 0.f;
    float m = -INFINITY, l = 0, o = 0;
    for (int s0 = 0; s0 < rows; s0 += tile) {
        for (int e = threadIdx.x; e < tile * width; e += blockDim.x) {
            const int r = s0 + e / width;
            ks[e / width][e % width] = r < rows ? k[r * width + e % width] : 0;
            vs[e / width][e % width] = r < rows ? v[r * width + e % width] : 0;
        }
        __syncthreads();
        for (int j = 0; j < tile && s0 + j < rows; ++j) {
            const float d = waveSum(own * ks[j][lane]) * scale;
            const float larger = fmaxf(m, d), correction = __expf(m - larger), p = __expf(d - larger);
            l = l * correction + p;
            o = o * correction + p * vs[j][lane];
            m = larger;
        }
        __syncthreads();
    }
    if (row < rows) {
        out[row * width + lane] = o / l;
    }
}

void checkSoftmax() {
    const int rows = 37, columns = 777;
    std::vector<float> x(rows * columns);
    for (int i = 0; i < rows * columns; ++i) {
        x[i] = std::cos(i * 0.7f) * 5;
    }
    Device<float> dx(x), dy(rows * columns);
    softmaxRows<float><<<rows, 256, 256 / 64 * sizeof(float)>>>(dx.get(), dy.get(), columns);
    const auto y = dy.read();
    bool ok = true;
    for (int r = 0; r < rows; ++r) {
        double m = -1e9, s = 0;
        for (int c = 0; c < columns; ++c) {
            m = std::fmax(m, x[r * columns + c]);
        }
        for (int c = 0; c < columns; ++c) {
            s += std::exp(x[r * columns + c] - m);
        }
        for (int c = 0; c < columns; ++c) {
            ok = ok && std::fabs(y[r * columns + c] - std::exp(x[r * columns + c] - m) / s) < 1e-6;
        }
    }
    expect("row softmax", ok);
    std::vector<__half> hx(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        hx[i] = __float2half(x[i]);
    }
    Device<__half> dhx(hx), dhy(x.size());
    softmaxRows<__half><<<rows, 128, 128 / 64 * sizeof(float)>>>(dhx.get(), dhy.get(), columns);
    expect("row softmax of half", std::fabs(__half2float(dhy.read()[5]) - y[5]) < 1e-3);
}

int main() {
    checkSoftmax();
    const int rows = 77, width = 64;
    std::vector<float> q(rows * width), k(rows * width), v(rows * width);
    for (int i = 0; i < rows * width; ++i) {
        q[i] = std::sin(static_cast<float>(i));
        k[i] = std::cos(i * 1.3f);
        v[i] = std::sin(i * .7f);
    }
    Device<float> dq(q), dk(k), dv(v), out(rows * width);
    attention<<<(rows + 3) / 4, 256>>>(dq.get(), dk.get(), dv.get(), out.get(), rows, 0.125f);
    const auto r = out.read();
    double worst = 0;
    for (int i = 0; i < rows; ++i) {
        std::vector<double> p(rows);
        double m = -1e9, s = 0;
        for (int j = 0; j < rows; ++j) {
            for (int x = 0; x < width; ++x) {
                p[j] += static_cast<double>(q[i * width + x]) * k[j * width + x];
            }
            p[j] *= 0.125;
            m = std::fmax(m, p[j]);
        }
        for (double& x : p) {
            x = std::exp(x - m);
            s += x;
        }
        for (int x = 0; x < width; ++x) {
            double o = 0;
            for (int j = 0; j < rows; ++j) {
                o += p[j] * v[j * width + x];
            }
            worst = std::fmax(worst, std::fabs(o / s - r[i * width + x]));
        }
    }
    expect("flash attention", worst < 1e-5);
    return verdict();
}
