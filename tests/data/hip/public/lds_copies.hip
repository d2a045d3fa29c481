// SPDX-License-Identifier: GPL-3.0-or-later
// A transposition whose tiles go from memory to LDS without a register between, with pointers that name their address
// space, and waits that name their counters.
#include <hip/hip_runtime.h>
#include <hip/hip_ext.h>

#include "../check.h"

#include <cstdint>
#include <type_traits>

#define LDS __attribute__((address_space(3)))
#define GLOBAL __attribute__((address_space(1)))

constexpr int Tile = 64;

template<class T> __device__ __forceinline__ LDS T* inLds(T* generic) {
    return (LDS T*)(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(generic)));
}
// One word for each lane: where the wave's first goes is what counts, the others follow.
__device__ __forceinline__ void copyWords(const std::uint32_t* from, LDS std::uint32_t* to) {
    __builtin_amdgcn_global_load_lds((const GLOBAL void*)from, (LDS void*)to, 4, 0, 0);
}

template<class T> __global__ __launch_bounds__(256) void transpose(const T* __restrict__ x, T* __restrict__ y, int rows, int columns) {
    static_assert(sizeof(T) == 4 && std::is_trivially_copyable_v<T>);
    __shared__ std::uint32_t tile[Tile][Tile + 1];
    const int lane = threadIdx.x % 64, wave = threadIdx.x / 64;
    const int y0 = blockIdx.y * Tile, x0 = blockIdx.x * Tile;
    for (int r = wave; r < Tile; r += 4) {
        copyWords(reinterpret_cast<const std::uint32_t*>(x) + static_cast<std::size_t>(y0 + r) * columns + x0 + lane, (LDS std::uint32_t*)&tile[r][0]);
    }
    __builtin_amdgcn_s_waitcnt(0x0f70);
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    for (int r = wave; r < Tile; r += 4) {
        LDS const std::uint32_t* const from = (LDS const std::uint32_t*)&tile[lane][r];
        y[static_cast<std::size_t>(x0 + r) * rows + y0 + lane] = __builtin_bit_cast(T, *from);
    }
}

int main() {
    constexpr int rows = 128, columns = 192;
    std::vector<float> x(rows * columns);
    for (int i = 0; i < rows * columns; ++i) {
        x[i] = static_cast<float>(i);
    }
    Device<float> dx(x), dy(rows * columns);
    hipStream_t stream;
    hipEvent_t start, stop;
    HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    HIP_CHECK(hipEventCreate(&start));
    HIP_CHECK(hipEventCreate(&stop));
    hipExtLaunchKernelGGL(transpose<float>, dim3(columns / Tile, rows / Tile), dim3(256), 0, stream, start, stop, 0, dx.get(), dy.get(), rows, columns);
    HIP_CHECK(hipEventSynchronize(stop));
    float ms = -1;
    HIP_CHECK(hipEventElapsedTime(&ms, start, stop));
    const auto y = dy.read();
    bool right = true;
    for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < columns; ++c) {
            right = right && y[c * rows + r] == x[r * columns + c];
        }
    }
    expect("words from memory to LDS", right);
    expect("events of the launch", ms >= 0);
    return verdict();
}
