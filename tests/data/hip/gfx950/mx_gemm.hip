// SPDX-License-Identifier: GPL-3.0-or-later
// GEMMs of microscaled formats as they are written for gfx950: C = A B^T with a scale for 32 values along k. mxfp4 from LDS
// that is filled 16 bytes a lane, without registers; mxfp8 with weights in fp8 that the kernel quantises itself.
#include "../check.h"
#include "ocp.h"

typedef int int8v __attribute__((ext_vector_type(8)));
typedef int int4v __attribute__((ext_vector_type(4)));
typedef float floatx4 __attribute__((ext_vector_type(4)));
typedef float floatx16 __attribute__((ext_vector_type(16)));
typedef short shortx2 __attribute__((ext_vector_type(2)));

constexpr int M = 128, N = 128, K = 512;
constexpr int scalesOfRow = K / 32;

__device__ void copyToLds(const void* from, void* to) {
    __builtin_amdgcn_global_load_lds((__attribute__((address_space(1))) void*)const_cast<void*>(from), (__attribute__((address_space(3))) void*)to, 16, 0, 0);
}

// A block of 64 x 64, four waves of 32 x 32; 256 along k at a time. A row of a tile is 128 bytes: eight pieces of 16, at
// places that are swapped by the row so that reads of a column meet all banks.
constexpr int tile = 64, step = 256;
constexpr int rowBytes = step / 2;
__device__ int swizzled(int row, int piece) { return row * rowBytes + ((piece ^ row) & 7) * 16; }

__global__ void __launch_bounds__(256) mxfp4(const unsigned char* a, const unsigned char* scalesA, const unsigned char* b, const unsigned char* scalesB, float* c) {
    __shared__ __align__(16) unsigned char tileA[2][tile * rowBytes], tileB[2][tile * rowBytes];
    const int wave = threadIdx.x / 64, lane = threadIdx.x % 64;
    const int row0 = blockIdx.y * tile, column0 = blockIdx.x * tile;
    const int waveRow = wave / 2 * 32, waveColumn = wave % 2 * 32;
    const auto fetch = [&](int k, int buffer) {
        for (int part = wave; part < tile * rowBytes / 1024; part += 4) { // 64 lanes of 16 bytes: 8 rows
            const int row = part * 8 + lane / 8, piece = (lane % 8 ^ row) & 7;
            copyToLds(a + (row0 + row) * (K / 2) + k / 2 + piece * 16, tileA[buffer] + part * 1024);
            copyToLds(b + (column0 + row) * (K / 2) + k / 2 + piece * 16, tileB[buffer] + part * 1024);
        }
    };
    floatx4 sums[2][2] = {};
    fetch(0, 0);
    int buffer = 0;
    for (int k = 0; k < K; k += step, buffer ^= 1) {
        __builtin_amdgcn_s_waitcnt(0);
        __syncthreads();
        if (k + step < K) {
            fetch(k + step, buffer ^ 1);
        }
        // Four scales of a lane's row lie in one word, of which an instruction takes a byte: those of this step's two halves.
        unsigned wordsA[2], wordsB[2];
        for (int t = 0; t < 2; ++t) {
            const unsigned char* sa = scalesA + (row0 + waveRow + t * 16 + lane % 16) * scalesOfRow + k / 32 + lane / 16;
            const unsigned char* sb = scalesB + (column0 + waveColumn + t * 16 + lane % 16) * scalesOfRow + k / 32 + lane / 16;
            wordsA[t] = sa[0] | sa[4] << 8;
            wordsB[t] = sb[0] | sb[4] << 8;
        }
        const auto load = [&](const unsigned char* lds, int row, int half) {
            const int4v low = *reinterpret_cast<const int4v*>(lds + swizzled(row, half * 4 + lane / 16)); // 32 values
            return int8v{low[0], low[1], low[2], low[3], 0, 0, 0, 0};
        };
        for (int i = 0; i < 2; ++i) {
            for (int j = 0; j < 2; ++j) {
                const int row = waveRow + i * 16 + lane % 16, column = waveColumn + j * 16 + lane % 16;
                sums[i][j] = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(load(tileA[buffer], row, 0), load(tileB[buffer], column, 0), sums[i][j], 4, 4, 0,
                                                                              wordsA[i], 0, wordsB[j]);
                sums[i][j] = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(load(tileA[buffer], row, 1), load(tileB[buffer], column, 1), sums[i][j], 4, 4, 1,
                                                                              wordsA[i], 1, wordsB[j]);
            }
        }
    }
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
            for (int r = 0; r < 4; ++r) {
                c[(row0 + waveRow + i * 16 + lane / 16 * 4 + r) * N + column0 + waveColumn + j * 16 + lane % 16] = sums[i][j][r];
            }
        }
    }
}

// 32 values in a row and their scale, by which the largest comes to lie between 128 and 256.
__global__ void quantise(const float* in, unsigned char* out, unsigned char* scales) {
    const int block = blockIdx.x * blockDim.x + threadIdx.x;
    const float* values = in + block * 32;
    float largest = 0;
    for (int i = 0; i < 32; ++i) {
        largest = fmaxf(largest, fabsf(values[i]));
    }
    const unsigned exponent = __builtin_bit_cast(unsigned, largest) >> 23;
    const unsigned scale = exponent > 7 ? exponent - 7 : 0;
    scales[block] = scale;
    const float asFloat = __builtin_bit_cast(float, scale << 23);
    for (int i = 0; i < 32; i += 4) {
        shortx2 two = {0, 0};
        two = __builtin_amdgcn_cvt_scalef32_pk_fp8_f32(two, values[i], values[i + 1], asFloat, false);
        two = __builtin_amdgcn_cvt_scalef32_pk_fp8_f32(two, values[i + 2], values[i + 3], asFloat, true);
        *reinterpret_cast<shortx2*>(out + block * 32 + i) = two;
    }
}

// One wave for 32 x 32, straight from memory: a lane has 16 bytes of each half of 64 along k.
__global__ void mxfp8(const unsigned char* a, const unsigned char* scalesA, const unsigned char* b, const unsigned char* scalesB, float* c) {
    const int lane = threadIdx.x, row0 = blockIdx.y * 32, column0 = blockIdx.x * 32;
    const int row = row0 + lane % 32, column = column0 + lane % 32, group = lane / 32;
    floatx16 sums = {};
    for (int k = 0; k < K; k += 64) {
        int8v fromA, fromB;
        for (int half = 0; half < 2; ++half) {
            const int4v partA = *reinterpret_cast<const int4v*>(a + row * K + k + half * 32 + group * 16);
            const int4v partB = *reinterpret_cast<const int4v*>(b + column * K + k + half * 32 + group * 16);
            for (int r = 0; r < 4; ++r) {
                fromA[half * 4 + r] = partA[r];
                fromB[half * 4 + r] = partB[r];
            }
        }
        const int scaleA = scalesA[row * scalesOfRow + k / 32 + group], scaleB = scalesB[column * scalesOfRow + k / 32 + group];
        sums = __builtin_amdgcn_mfma_scale_f32_32x32x64_f8f6f4(fromA, fromB, sums, 0, 0, 0, scaleA, 0, scaleB);
    }
    for (int r = 0; r < 16; ++r) {
        c[(row0 + r / 4 * 8 + group * 4 + r % 4) * N + column] = sums[r];
    }
}

unsigned state = 7;
unsigned next() { return state = state * 1664525u + 1013904223u, state >> 8; }

// C of the decoded values in double.
bool isProduct(const std::vector<float>& c, const std::vector<double>& a, const std::vector<double>& b) {
    for (int i = 0; i < M; ++i) {
        for (int j = 0; j < N; ++j) {
            double sum = 0, size = 0;
            for (int k = 0; k < K; ++k) {
                sum += a[i * K + k] * b[j * K + k];
                size += std::fabs(a[i * K + k] * b[j * K + k]);
            }
            if (!(std::fabs(c[i * N + j] - sum) <= size * 1e-6)) {
                std::printf("[%d][%d] is %g, not %g\n", i, j, c[i * N + j], sum);
                return false;
            }
        }
    }
    return true;
}

std::vector<double> decoded(const std::vector<unsigned char>& codes, const std::vector<unsigned char>& scales, const ocp::Format& format, int rows) {
    std::vector<double> values(rows * K);
    for (int i = 0; i < rows * K; ++i) {
        const unsigned code = format.bits() == 4 ? codes[i / 2] >> i % 2 * 4 & 15u : codes[i];
        values[i] = ocp::decode(code, format) * ocp::scale(scales[i / 32]);
    }
    return values;
}

void fp4() {
    std::vector<unsigned char> a(M * K / 2), b(N * K / 2), scalesA(M * scalesOfRow), scalesB(N * scalesOfRow);
    for (auto* bytes : {&a, &b}) {
        for (auto& byte : *bytes) {
            byte = static_cast<unsigned char>(next());
        }
    }
    for (auto* scales : {&scalesA, &scalesB}) {
        for (auto& scale : *scales) {
            scale = static_cast<unsigned char>(120 + next() % 15);
        }
    }
    Device<unsigned char> deviceA(a), deviceB(b), deviceScalesA(scalesA), deviceScalesB(scalesB);
    Device<float> c(M * N);
    mxfp4<<<dim3(N / tile, M / tile), 256>>>(deviceA.get(), deviceScalesA.get(), deviceB.get(), deviceScalesB.get(), c.get());
    expect("mxfp4", isProduct(c.read(), decoded(a, scalesA, ocp::e2m1, M), decoded(b, scalesB, ocp::e2m1, N)));
}

void fp8() {
    std::vector<float> a(M * K), b(N * K);
    for (auto* values : {&a, &b}) {
        for (std::size_t i = 0; i < values->size(); ++i) {
            const int size = static_cast<int>(i / 32 * 7 % 20) - 10; // blocks of different sizes
            (*values)[i] = std::ldexp(static_cast<float>(static_cast<int>(next() % 2001) - 1000) / 1000, size);
        }
    }
    Device<float> deviceA(a), deviceB(b), c(M * N);
    Device<unsigned char> codesA(M * K), codesB(N * K), scalesA(M * scalesOfRow), scalesB(N * scalesOfRow);
    quantise<<<M * scalesOfRow / 64, 64>>>(deviceA.get(), codesA.get(), scalesA.get());
    quantise<<<N * scalesOfRow / 64, 64>>>(deviceB.get(), codesB.get(), scalesB.get());
    const auto valuesA = decoded(codesA.read(), scalesA.read(), ocp::e4m3, M), valuesB = decoded(codesB.read(), scalesB.read(), ocp::e4m3, N);
    const auto scales = scalesA.read();
    bool right = true;
    for (int i = 0; i < M * K; ++i) { // half a step of three bits, or of the smallest
        right = right && std::fabs(valuesA[i] - a[i]) <= std::fmax(std::fabs(a[i]) / 16, ocp::scale(scales[i / 32]) * 0x1p-10);
    }
    expect("quantised", right);
    mxfp8<<<dim3(N / 32, M / 32), 64>>>(codesA.get(), scalesA.get(), codesB.get(), scalesB.get(), c.get());
    expect("mxfp8", isProduct(c.read(), valuesA, valuesB));
}

int main() {
    fp4();
    fp8();
    return verdict();
}
