// SPDX-License-Identifier: GPL-3.0-or-later
// Grids whose blocks wait for each other: sums and steps of a rod against the same on the host, blocks that run as
// loops and as fibres, LDS that is kept meanwhile, and what is refused.
#include "check.h"

#include <hip/hip_cooperative_groups.h>
#include <numeric>

namespace cg = cooperative_groups;

constexpr int threads = 128;

// Every block leaves its part in LDS, and adds up those of all others behind the barrier.
__global__ void sumOfGrid(const int* x, int n, int* parts, int* sums, int* kept) {
    __shared__ int mine[threads];
    const cg::grid_group grid = cg::this_grid();
    int sum = 0;
    for (unsigned i = grid.thread_rank(); i < static_cast<unsigned>(n); i += grid.size()) {
        sum += x[i];
    }
    mine[threadIdx.x] = sum;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (static_cast<int>(threadIdx.x) < half) {
            mine[threadIdx.x] += mine[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = mine[0];
    }
    grid.sync();
    int all = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) {
        all += parts[i];
    }
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = all;
        kept[blockIdx.x] = mine[0];
    }
}

// Heat in a rod: each step needs the neighbours' cells, also those of other blocks, of the step before.
__global__ void heat(float* now, float* next, int n, int steps) {
    const cg::grid_group grid = cg::this_grid();
    const int i = static_cast<int>(grid.thread_rank());
    for (int step = 0; step < steps; ++step) {
        if (i > 0 && i < n - 1) {
            next[i] = 0.25f * now[i - 1] + 0.5f * now[i] + 0.25f * now[i + 1];
        }
        float* const other = now;
        now = next;
        next = other;
        grid.sync();
    }
}

// Runs as fibres: its threads sleep.
__global__ void turns(int* order, int rounds) {
    const cg::grid_group grid = cg::this_grid();
    for (int round = 0; round < rounds; ++round) {
        if (blockIdx.x == round % gridDim.x) {
            atomicAdd(&order[round], static_cast<int>(threadIdx.x) + (round > 0 ? order[round - 1] % 7 : 0));
        }
        __builtin_amdgcn_s_sleep(1);
        cg::sync(grid);
    }
}

// Some threads of each block, the first one too, have ended before.
__global__ void someEnd(int* values) {
    if (threadIdx.x < 70) {
        return;
    }
    values[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    cg::this_grid().sync();
    const unsigned other = (blockIdx.x + 1) % gridDim.x;
    atomicAdd(&values[blockIdx.x * blockDim.x], values[other * blockDim.x + threadIdx.x]);
}

// A barrier that the program made itself: nothing but that all blocks are there makes it end.
__global__ void meetsByHand(int* come, int* seen) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __hip_atomic_fetch_add(come, 1, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT);
        while (__hip_atomic_load(come, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) < static_cast<int>(gridDim.x)) {
            __builtin_amdgcn_s_sleep(1);
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        seen[blockIdx.x] = *come;
    }
}

__global__ void describes(unsigned* values) {
    const cg::grid_group grid = cg::this_grid();
    if (threadIdx.x == 3 && blockIdx.x == 1 && blockIdx.y == 2) {
        values[0] = grid.is_valid();
        values[1] = grid.size();
        values[2] = grid.thread_rank();
        values[3] = grid.group_dim().x;
        values[4] = grid.block_rank();
        values[5] = grid.num_blocks();
    }
}

template<class Kernel>
void together(Kernel kernel, dim3 grid, dim3 block, std::vector<void*> arguments) {
    HIP_CHECK(hipLaunchCooperativeKernel(kernel, grid, block, arguments.data(), 0, nullptr));
}

int main() {
    hipDeviceProp_t properties;
    HIP_CHECK(hipGetDeviceProperties(&properties, 0));
    int can = 0, active = 0;
    HIP_CHECK(hipDeviceGetAttribute(&can, hipDeviceAttributeCooperativeLaunch, 0));
    expect("the device can", can == 1 && properties.cooperativeLaunch == 1);
    HIP_CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&active, sumOfGrid, threads, 0));
    const int most = active * properties.multiProcessorCount;
    constexpr int ofCard = 304; // compute units, for which grids are sized whatever the device says

    for (const int blocks : {1, 7, std::min(most, 24), ofCard}) {
        int n = 10007;
        std::vector<int> x(n);
        std::iota(x.begin(), x.end(), -3);
        Device<int> dx(x), parts(blocks), sums(blocks), kept(blocks);
        int *px = dx.get(), *pParts = parts.get(), *pSums = sums.get(), *pKept = kept.get();
        together(sumOfGrid, blocks, threads, {&px, &n, &pParts, &pSums, &pKept});
        std::vector<int> ofBlock(blocks);
        for (int i = 0; i < n; ++i) {
            ofBlock[i / threads % blocks] += x[i];
        }
        const int sum = std::accumulate(x.begin(), x.end(), 0);
        expect("sums", sums.read() == std::vector<int>(blocks, sum));
        expect("LDS is kept", kept.read() == ofBlock && parts.read() == ofBlock);
    }

    {
        int n = 5 * threads - 13, steps = 40;
        std::vector<float> now(n);
        for (int i = 0; i < n; ++i) {
            now[i] = static_cast<float>(i * 37 % 101);
        }
        Device<float> dNow(now), dNext(now);
        float *pNow = dNow.get(), *pNext = dNext.get();
        together(heat, 5, threads, {&pNow, &pNext, &n, &steps});
        std::vector<float> next = now;
        for (int step = 0; step < steps; ++step) {
            for (int i = 1; i < n - 1; ++i) {
                next[i] = 0.25f * now[i - 1] + 0.5f * now[i] + 0.25f * now[i + 1];
            }
            std::swap(now, next);
        }
        const auto got = dNow.read();
        bool right = true;
        for (int i = 0; i < n; ++i) {
            right = right && near(got[i], now[i], 1e-5);
        }
        expect("steps of a rod", right);
    }

    {
        int rounds = 20;
        Device<int> order(rounds);
        int* pOrder = order.get();
        together(turns, 3, threads, {&pOrder, &rounds});
        std::vector<int> right(rounds);
        for (int round = 0; round < rounds; ++round) {
            right[round] = threads * (threads - 1) / 2 + threads * (round > 0 ? right[round - 1] % 7 : 0);
        }
        expect("fibres take turns", order.read() == right);
    }

    {
        int rounds = 1; // more stacks than the system lets a process have pages of their own below
        Device<int> order(rounds);
        int* pOrder = order.get();
        together(turns, ofCard, threads, {&pOrder, &rounds});
        expect("fibres in a grid for a card", order.read()[0] == threads * (threads - 1) / 2);
    }

    {
        Device<int> values(4 * threads);
        int* pValues = values.get();
        together(someEnd, 4, threads, {&pValues});
        const auto got = values.read();
        bool right = true;
        for (int i = 0; i < 4 * threads; ++i) {
            right = right && got[i] == (i % threads == 0 ? threads - 70 : i % threads >= 70 ? 1 : 0);
        }
        expect("threads that have ended", right);
    }

    {
        Device<int> come(1), seen(6);
        int *pCome = come.get(), *pSeen = seen.get();
        together(meetsByHand, 6, 64, {&pCome, &pSeen});
        expect("a barrier by hand", seen.read() == std::vector<int>(6, 6));
    }

    {
        Device<unsigned> values(6);
        unsigned* pValues = values.get();
        together(describes, dim3(2, 3), 64, {&pValues});
        expect("what a grid says", values.read() == std::vector<unsigned>{1, 384, 323, 64, 5, 6});
        describes<<<dim3(2, 3), 64>>>(pValues);
        expect("another launch is none", values.read()[0] == 0);
    }

    int n = 0;
    int* none = nullptr;
    void* arguments[] = {&none, &n, &none, &none, &none};
    const void* kernel = reinterpret_cast<const void*>(&sumOfGrid);
    expect("too many blocks", hipLaunchCooperativeKernel(kernel, std::max(most, active * ofCard) + 1, threads,
                                                         arguments, 0, nullptr) == hipErrorCooperativeLaunchTooLarge &&
                                  hipGetLastError() == hipErrorCooperativeLaunchTooLarge);
    return verdict();
}
