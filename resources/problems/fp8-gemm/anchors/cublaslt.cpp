// SPDX-License-Identifier: GPL-3.0-or-later
// The product by cuBLASLt. Its fp8 takes operands whose k varies fastest alone, so both are turned first, which is in
// the time; scales of 128 k go into the product where this version and device have that, from 12.9 on and on Hopper.
// Elsewhere both operands are scaled into bf16 and multiplied as such.
#include <cublasLt.h>

#include "problem.h"

#include <cstdio>
#include <map>
#include <mutex>
#include <tuple>

namespace {

constexpr int scaleBlock = 128;
constexpr int tileRows = 32; // of the m or n of a tile that is turned
constexpr int tileThreads = 256;
constexpr size_t libraryWorkspaceBytes = size_t{32} << 20;
constexpr size_t alignment = 256;

size_t aligned(size_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
}
int blocksOf(int extent) {
    return (extent + scaleBlock - 1) / scaleBlock;
}
int paddedBlocks(int k) { // the scales of one column of blocks lie a multiple of four apart
    return (blocksOf(k) + 3) / 4 * 4;
}

// [k][rows] to [rows][k]: a tile of 128 k and 32 rows, four by four bytes a thread.
__device__ void turn(const unsigned char* from, unsigned char* to, int rows, int k, int row, int firstK) {
    __shared__ uint32_t tile[tileRows][tileRows + 1];
    const int column = threadIdx.x % 8, quad = threadIdx.x / 8;
    uint32_t in[4];
    for (int j = 0; j < 4; ++j) {
        in[j] = *reinterpret_cast<const uint32_t*>(from + size_t(firstK + 4 * quad + j) * rows + row + 4 * column);
    }
    for (int i = 0; i < 4; ++i) {
        uint32_t word = 0;
        for (int j = 0; j < 4; ++j) {
            word |= ((in[j] >> (8 * i)) & 0xffu) << (8 * j);
        }
        tile[4 * column + i][quad] = word;
    }
    __syncthreads();
    const int own = threadIdx.x / 8, words = 4 * (threadIdx.x % 8);
    const uint4 out = {tile[own][words], tile[own][words + 1], tile[own][words + 2], tile[own][words + 3]};
    *reinterpret_cast<uint4*>(to + size_t(row + own) * k + firstK + 4 * words) = out;
}

__global__ void __launch_bounds__(tileThreads) turnBoth(Problem p, unsigned char* a, unsigned char* b, float* bScale) {
    const int tilesOfA = p.m / tileRows, tilesOfB = p.n / tileRows, tile = blockIdx.x, kb = blockIdx.y;
    if (tile < tilesOfA) {
        turn(reinterpret_cast<const unsigned char*>(p.a), a, p.m, p.k, tile * tileRows, kb * scaleBlock);
    } else if (tile < tilesOfA + tilesOfB) {
        turn(reinterpret_cast<const unsigned char*>(p.b), b, p.n, p.k, (tile - tilesOfA) * tileRows, kb * scaleBlock);
    } else {
        const int blocks = (p.n + scaleBlock - 1) / scaleBlock, padded = (p.k / scaleBlock + 3) / 4 * 4;
        for (int i = threadIdx.x; i < blocks; i += tileThreads) {
            bScale[i * padded + kb] = p.b_scale[kb * blocks + i];
        }
    }
}

__global__ void __launch_bounds__(tileThreads) scaleIntoBf16(Problem p, bf16_t* a, bf16_t* b) {
    const size_t ofA = size_t(p.m) * p.k, all = ofA + size_t(p.n) * p.k;
    const int blocks = (p.n + scaleBlock - 1) / scaleBlock;
    for (size_t i = size_t(blockIdx.x) * tileThreads + threadIdx.x; i < all; i += size_t(gridDim.x) * tileThreads) {
        if (i < ofA) {
            a[i] = to_bf16(to_float(p.a[i]) * p.a_scale[i / p.m / scaleBlock * p.m + i % p.m]);
        } else {
            const size_t at = i - ofA;
            b[at] = to_bf16(to_float(p.b[at]) * p.b_scale[at / p.n / scaleBlock * blocks + at % p.n / scaleBlock]);
        }
    }
}

// The product of one shape as the library sees it: its matrices are column-major, so C is the product of B and A,
// turned.
struct Product {
    cublasLtMatmulDesc_t operation = nullptr;
    cublasLtMatrixLayout_t a = nullptr, b = nullptr, c = nullptr;
    cublasLtMatmulAlgo_t algorithm = {};
    bool isFound = false;
};

cublasLtHandle_t handle() {
    static cublasLtHandle_t made = [] {
        cublasLtHandle_t one = nullptr;
        return cublasLtCreate(&one) == CUBLAS_STATUS_SUCCESS ? one : nullptr;
    }();
    return made;
}

template<class T>
void set(Product& product, cublasLtMatmulDescAttributes_t attribute, const T& value) {
    cublasLtMatmulDescSetAttribute(product.operation, attribute, &value, sizeof value);
}

void find(Product& product) {
    cublasLtMatmulPreference_t preference = nullptr;
    cublasLtMatmulPreferenceCreate(&preference);
    cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &libraryWorkspaceBytes,
                                         sizeof libraryWorkspaceBytes);
    cublasLtMatmulHeuristicResult_t result = {};
    int count = 0;
    product.isFound =
        handle() != nullptr &&
        cublasLtMatmulAlgoGetHeuristic(handle(), product.operation, product.a, product.b, product.c, product.c,
                                       preference, 1, &result, &count) == CUBLAS_STATUS_SUCCESS &&
        count > 0;
    product.algorithm = result.algo;
    cublasLtMatmulPreferenceDestroy(preference);
}

Product productOf(const Problem& p, bool isFp8) {
    Product product;
    cublasLtMatmulDescCreate(&product.operation, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    const cublasOperation_t first = isFp8 ? CUBLAS_OP_T : CUBLAS_OP_N, second = isFp8 ? CUBLAS_OP_N : CUBLAS_OP_T;
    set(product, CUBLASLT_MATMUL_DESC_TRANSA, first);
    set(product, CUBLASLT_MATMUL_DESC_TRANSB, second);
    if (isFp8) {
        cublasLtMatrixLayoutCreate(&product.a, CUDA_R_8F_E4M3, p.k, p.n, p.k);
        cublasLtMatrixLayoutCreate(&product.b, CUDA_R_8F_E4M3, p.k, p.m, p.k);
#if CUBLAS_VERSION >= 120900
        const int32_t ofBlocks = CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F;
        const int32_t ofRows = CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F;
        set(product, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, ofBlocks);
        set(product, CUBLASLT_MATMUL_DESC_B_SCALE_MODE, ofRows);
        const void* const any =
            reinterpret_cast<const void*>(alignment); // its alignment counts while one is looked for
        set(product, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, any);
        set(product, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, any);
#endif
    } else {
        cublasLtMatrixLayoutCreate(&product.a, CUDA_R_16BF, p.n, p.k, p.n);
        cublasLtMatrixLayoutCreate(&product.b, CUDA_R_16BF, p.m, p.k, p.m);
    }
    cublasLtMatrixLayoutCreate(&product.c, CUDA_R_16BF, p.n, p.m, p.n);
#if CUBLAS_VERSION >= 120900
    find(product);
#else
    if (!isFp8) {
        find(product);
    }
#endif
    return product;
}

struct Products {
    Product fp8, bf16;
};

Products& productsOf(const Problem& p) {
    static std::mutex mutex;
    static std::map<std::tuple<int, int, int>, Products> known;
    const std::lock_guard<std::mutex> lock(mutex);
    const auto [at, isNew] = known.try_emplace({p.m, p.n, p.k});
    if (isNew) {
        at->second.fp8 = productOf(p, true);
        if (!at->second.fp8.isFound) {
            at->second.bf16 = productOf(p, false);
        }
    }
    return at->second;
}

hipError_t multiply(const Product& product, const void* a, const void* b, void* c, void* workspace,
                    hipStream_t stream) {
    const float one = 1, none = 0;
    const bool isDone =
        product.isFound &&
        cublasLtMatmul(handle(), product.operation, &one, a, product.a, b, product.b, &none, c, product.c, c, product.c,
                       &product.algorithm, workspace, libraryWorkspaceBytes, stream) == CUBLAS_STATUS_SUCCESS;
    return isDone ? hipSuccess : hipErrorUnknown;
}

} // namespace

extern "C" const char* anchor_version() {
    static char text[64];
    const size_t version = cublasLtGetVersion();
    snprintf(text, sizeof text, "cuBLASLt %zu.%zu.%zu", version / 10000, version / 100 % 100, version % 100);
    return text;
}

extern "C" size_t workspace_bytes(const Problem& p) { // as much as the operands in bf16
    return 2 * aligned(2 * size_t(p.m) * p.k) + 2 * aligned(2 * size_t(p.n) * p.k) +
           aligned(sizeof(float) * size_t(blocksOf(p.n)) * paddedBlocks(p.k)) + libraryWorkspaceBytes;
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    char* const ofLibrary = static_cast<char*>(workspace);
    char* const a = ofLibrary + libraryWorkspaceBytes;
    char* const b = a + aligned(2 * size_t(p.m) * p.k);
    float* const bScale = reinterpret_cast<float*>(b + aligned(2 * size_t(p.n) * p.k));
    Products& products = productsOf(p);
    if (products.fp8.isFound) {
        const dim3 grid(p.m / tileRows + p.n / tileRows + 1, p.k / scaleBlock);
        turnBoth<<<grid, tileThreads, 0, stream>>>(p, reinterpret_cast<unsigned char*>(a),
                                                   reinterpret_cast<unsigned char*>(b), bScale);
        const void* const scales[] = {bScale, p.a_scale};
        set(products.fp8, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, scales[0]);
        set(products.fp8, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, scales[1]);
        return multiply(products.fp8, b, a, p.c, workspace, stream);
    }
    scaleIntoBf16<<<2048, tileThreads, 0, stream>>>(p, reinterpret_cast<bf16_t*>(a), reinterpret_cast<bf16_t*>(b));
    return multiply(products.bf16, b, a, p.c, workspace, stream);
}
