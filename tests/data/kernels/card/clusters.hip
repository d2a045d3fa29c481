// SPDX-License-Identifier: GPL-3.0-or-later
// Honest, for an NVIDIA card of compute capability 9: tiles come by tensor map, each block of a cluster computes the
// tile that the other one has loaded, and a second kernel may begin before the first has ended.
#include "problem.h"

#include <cuda.h>

namespace {

constexpr int tileCols = 64;
constexpr int tileRows = 4;
constexpr unsigned tileBytes = tileCols * tileRows * sizeof(float);

__device__ void waitForCluster() {
    asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}

__global__ void __launch_bounds__(256) scaled(const __grid_constant__ CUtensorMap map, Problem p) {
    __shared__ alignas(128) float tile[tileRows][tileCols];
    __shared__ alignas(8) unsigned long long arrived;
    const unsigned barrier = static_cast<unsigned>(__cvta_generic_to_shared(&arrived));
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(tileBytes)
                     : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, "
                     "%3}], [%4];" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(tile))),
                     "l"(&map), "r"(static_cast<int>(blockIdx.x) * tileCols),
                     "r"(static_cast<int>(blockIdx.y) * tileRows), "r"(barrier)
                     : "memory");
    }
    __syncthreads();
    for (unsigned done = 0; done == 0;) {
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(barrier)
                     : "memory");
    }
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    waitForCluster();
    float theirs;
    unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&tile[0][0] + threadIdx.x));
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm volatile("mapa.shared::cluster.u32 %0, %0, %1;" : "+r"(at) : "r"(rank ^ 1U));
    asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(theirs) : "r"(at) : "memory");
    const int row = static_cast<int>(blockIdx.y) * tileRows + static_cast<int>(threadIdx.x) / tileCols;
    const int col = static_cast<int>(blockIdx.x ^ 1U) * tileCols + static_cast<int>(threadIdx.x) % tileCols;
    if (row < p.rows && col < p.cols) {
        p.y[static_cast<size_t>(row) * p.cols + col] = theirs * p.scale[row];
    }
    waitForCluster(); // nobody goes while another one reads its tile
}

__global__ void __launch_bounds__(256) plusOne(Problem p) {
    asm volatile("griddepcontrol.wait;" ::: "memory");
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        p.y[i] += 1;
    }
}

__global__ void plain(Problem p) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.rows * p.cols) {
        p.y[i] = p.x[i] * p.scale[i / p.cols] + 1;
    }
}

using Encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                            const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                            CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

bool mapOf(CUtensorMap& map, const Problem& p) {
    void* entry = nullptr;
    cudaDriverEntryPointQueryResult found;
    if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found) !=
        cudaSuccess) {
        return false;
    }
    const cuuint64_t extents[2] = {cuuint64_t(p.cols), cuuint64_t(p.rows)};
    const cuuint64_t strides[1] = {cuuint64_t(p.cols) * sizeof(float)};
    const cuuint32_t box[2] = {tileCols, tileRows};
    const cuuint32_t steps[2] = {1, 1};
    return reinterpret_cast<Encode>(entry)(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, const_cast<float*>(p.x), extents,
                                           strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                           CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                                           CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

} // namespace

extern "C" hipError_t solve(const Problem& p, void*, hipStream_t stream) {
    const dim3 flat((p.rows * p.cols + 255) / 256);
    if (p.cols % 4 != 0) { // no tensor map has such rows
        plain<<<flat, 256, 0, stream>>>(p);
        return cudaGetLastError();
    }
    CUtensorMap map;
    if (!mapOf(map, p)) {
        return cudaErrorUnknown;
    }
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = 2;
    cluster.val.clusterDim.y = 1;
    cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(((p.cols + tileCols - 1) / tileCols + 1) / 2 * 2, (p.rows + tileRows - 1) / tileRows);
    config.blockDim = dim3(256);
    config.stream = stream;
    config.attrs = &cluster;
    config.numAttrs = 1;
    if (const cudaError_t failed = cudaLaunchKernelEx(&config, scaled, map, p); failed != cudaSuccess) {
        return failed;
    }
    cudaLaunchAttribute dependent = {};
    dependent.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    dependent.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = flat;
    config.attrs = &dependent;
    return cudaLaunchKernelEx(&config, plusOne, p);
}
