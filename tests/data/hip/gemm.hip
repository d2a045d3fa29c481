// SPDX-License-Identifier: GPL-3.0-or-later
// Matrix multiplication in the usual steps of tuning: naive, LDS tiles, register tiles. With a size as argument (a multiple of 64)
// it also prints the best time of each kernel.
#include "check.h"

__global__ void naive(const float* a, const float* b, float* c, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; ++k) {
        sum += a[y * n + k] * b[k * n + x];
    }
    c[y * n + x] = sum;
}

template<int Tile> __global__ void tiled(const float* a, const float* b, float* c, int n) {
    __shared__ float as[Tile][Tile];
    __shared__ float bs[Tile][Tile];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * Tile + tx, y = blockIdx.y * Tile + ty;
    float sum = 0;
    for (int k0 = 0; k0 < n; k0 += Tile) {
        as[ty][tx] = a[y * n + k0 + tx];
        bs[ty][tx] = b[(k0 + ty) * n + x];
        __syncthreads();
        for (int k = 0; k < Tile; ++k) {
            sum += as[ty][k] * bs[k][tx];
        }
        __syncthreads();
    }
    c[y * n + x] = sum;
}

// Each of 256 threads computes 4 x 4 elements of a 64 x 64 tile.
__global__ __launch_bounds__(256) void registerTile(const float* __restrict__ a, const float* __restrict__ b,
                                                    float* __restrict__ c, int n) {
    __shared__ float as[16][64];
    __shared__ float bs[16][64];
    const int t = threadIdx.x, tx = t % 16, ty = t / 16;
    float sum[4][4] = {};
    for (int k0 = 0; k0 < n; k0 += 16) {
        for (int i = 0; i < 4; ++i) {
            const int e = t + i * 256;
            as[e % 16][e / 16] = a[(blockIdx.y * 64 + e / 16) * n + k0 + e % 16];
            bs[e / 64][e % 64] = b[(k0 + e / 64) * n + blockIdx.x * 64 + e % 64];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            for (int i = 0; i < 4; ++i) {
                for (int j = 0; j < 4; ++j) {
                    sum[i][j] += as[k][ty * 4 + i] * bs[k][tx * 4 + j];
                }
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            c[(blockIdx.y * 64 + ty * 4 + i) * n + blockIdx.x * 64 + tx * 4 + j] = sum[i][j];
        }
    }
}

using Launch = void (*)(const float*, const float*, float*, int);

int main(int argumentCount, char** arguments) {
    const int n = argumentCount > 1 ? std::atoi(arguments[1]) : 192;
    std::vector<float> a(n * n), b(n * n), reference(n * n);
    for (int i = 0; i < n * n; ++i) {
        a[i] = (i * 37 % 101) / 101.f - 0.5f;
        b[i] = (i * 53 % 97) / 97.f - 0.5f;
    }
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < n; ++k) {
            for (int j = 0; j < n; ++j) {
                reference[i * n + j] += a[i * n + k] * b[k * n + j];
            }
        }
    }
    Device<float> da(a), db(b);
    const auto check = [&](const char* name, Launch launch) {
        Device<float> dc(n * n);
        launch(da.get(), db.get(), dc.get(), n);
        const std::vector<float> c = dc.read();
        float error = 0;
        for (int i = 0; i < n * n; ++i) {
            error = std::fmax(error, std::fabs(c[i] - reference[i]));
        }
        expect(name, error < 1e-4f);
        if (argumentCount > 1) {
            printBestTime(name, [&] { launch(da.get(), db.get(), dc.get(), n); });
        }
    };
    check("naive", [](const float* a, const float* b, float* c, int n) { naive<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n); });
    check("tiled16", [](const float* a, const float* b, float* c, int n) { tiled<16><<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n); });
    check("tiled32", [](const float* a, const float* b, float* c, int n) { tiled<32><<<dim3(n / 32, n / 32), dim3(32, 32)>>>(a, b, c, n); });
    check("register", [](const float* a, const float* b, float* c, int n) { registerTile<<<dim3(n / 64, n / 64), 256>>>(a, b, c, n); });
    return verdict();
}
