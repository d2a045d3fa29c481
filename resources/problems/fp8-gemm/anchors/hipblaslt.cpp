// SPDX-License-Identifier: GPL-3.0-or-later
// The product by hipBLASLt. It takes no scales of 128 k, so both operands are scaled into bf16 first, which is in the
// time, and multiplied as such.
#include <hipblaslt/hipblaslt.h>

#include "problem.h"

#include <cstdio>
#include <map>
#include <mutex>
#include <tuple>

namespace {

constexpr int scaleBlock = 128;
constexpr int threads = 256;
constexpr int blocks = 2048;
constexpr size_t libraryWorkspaceBytes = size_t{64} << 20;
constexpr size_t alignment = 256;

size_t aligned(size_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
}

__global__ void __launch_bounds__(threads) scaleIntoBf16(Problem p, bf16_t* a, bf16_t* b) {
    const size_t ofA = size_t(p.m) * p.k, all = ofA + size_t(p.n) * p.k;
    const int ofRow = (p.n + scaleBlock - 1) / scaleBlock;
    for (size_t i = size_t(blockIdx.x) * threads + threadIdx.x; i < all; i += size_t(gridDim.x) * threads) {
        if (i < ofA) {
            a[i] = to_bf16(to_float(p.a[i]) * p.a_scale[i / p.m / scaleBlock * p.m + i % p.m]);
        } else {
            const size_t at = i - ofA;
            b[at] = to_bf16(to_float(p.b[at]) * p.b_scale[at / p.n / scaleBlock * ofRow + at % p.n / scaleBlock]);
        }
    }
}

hipblasLtHandle_t handle() {
    static hipblasLtHandle_t made = [] {
        hipblasLtHandle_t one = nullptr;
        return hipblasLtCreate(&one) == HIPBLAS_STATUS_SUCCESS ? one : nullptr;
    }();
    return made;
}

// As the library sees it: its matrices are column-major, so C is the product of B and A, turned.
struct Product {
    hipblasLtMatmulDesc_t operation = nullptr;
    hipblasLtMatrixLayout_t a = nullptr, b = nullptr, c = nullptr;
    hipblasLtMatmulAlgo_t algorithm = {};
    bool isFound = false;
};

Product productOf(const Problem& p) {
    Product product;
    hipblasLtMatmulDescCreate(&product.operation, HIPBLAS_COMPUTE_32F, HIP_R_32F);
    const hipblasOperation_t first = HIPBLAS_OP_N, second = HIPBLAS_OP_T;
    hipblasLtMatmulDescSetAttribute(product.operation, HIPBLASLT_MATMUL_DESC_TRANSA, &first, sizeof first);
    hipblasLtMatmulDescSetAttribute(product.operation, HIPBLASLT_MATMUL_DESC_TRANSB, &second, sizeof second);
    hipblasLtMatrixLayoutCreate(&product.a, HIP_R_16BF, p.n, p.k, p.n);
    hipblasLtMatrixLayoutCreate(&product.b, HIP_R_16BF, p.m, p.k, p.m);
    hipblasLtMatrixLayoutCreate(&product.c, HIP_R_16BF, p.n, p.m, p.n);
    hipblasLtMatmulPreference_t preference = nullptr;
    hipblasLtMatmulPreferenceCreate(&preference);
    hipblasLtMatmulPreferenceSetAttribute(preference, HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &libraryWorkspaceBytes,
                                          sizeof libraryWorkspaceBytes);
    hipblasLtMatmulHeuristicResult_t result = {};
    int count = 0;
    product.isFound =
        handle() != nullptr &&
        hipblasLtMatmulAlgoGetHeuristic(handle(), product.operation, product.a, product.b, product.c, product.c,
                                        preference, 1, &result, &count) == HIPBLAS_STATUS_SUCCESS &&
        count > 0;
    product.algorithm = result.algo;
    hipblasLtMatmulPreferenceDestroy(preference);
    return product;
}

const Product& knownProduct(const Problem& p) {
    static std::mutex mutex;
    static std::map<std::tuple<int, int, int>, Product> known;
    const std::lock_guard<std::mutex> lock(mutex);
    const auto [at, isNew] = known.try_emplace({p.m, p.n, p.k});
    if (isNew) {
        at->second = productOf(p);
    }
    return at->second;
}

} // namespace

extern "C" const char* anchor_version() {
    static char text[64];
    int version = 0;
    if (handle() != nullptr) {
        hipblasLtGetVersion(handle(), &version);
    }
    snprintf(text, sizeof text, "hipBLASLt %d.%d.%d", version / 100000, version / 100 % 1000, version % 100);
    return text;
}

extern "C" size_t workspace_bytes(const Problem& p) {
    return libraryWorkspaceBytes + aligned(2 * size_t(p.m) * p.k) + aligned(2 * size_t(p.n) * p.k);
}

extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    char* const a = static_cast<char*>(workspace) + libraryWorkspaceBytes;
    char* const b = a + aligned(2 * size_t(p.m) * p.k);
    scaleIntoBf16<<<blocks, threads, 0, stream>>>(p, reinterpret_cast<bf16_t*>(a), reinterpret_cast<bf16_t*>(b));
    const Product& product = knownProduct(p);
    const float one = 1, none = 0;
    const bool isDone =
        product.isFound && hipblasLtMatmul(handle(), product.operation, &one, b, product.a, a, product.b, &none, p.c,
                                           product.c, p.c, product.c, &product.algorithm, workspace,
                                           libraryWorkspaceBytes, stream) == HIPBLAS_STATUS_SUCCESS;
    return isDone ? hipSuccess : hipErrorUnknown;
}
