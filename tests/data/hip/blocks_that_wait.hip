// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks of an ordinary launch that wait for all others, before and behind them, as the blocks of a grid that a card
// has there at once may: at a counter of their own that they look at in several ways. The host steps through the same.
#include "check.h"

#include <algorithm>
#include <vector>

constexpr int steps = 4;

enum class Look { load, flag, update, exchange, sleep };

// Of a grid's counter, until it has this value.
template<Look look>
__device__ void wait(unsigned* counter, unsigned value) {
    if constexpr (look == Look::load) {
        while (__hip_atomic_load(counter, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) < value) {
        }
    } else if constexpr (look == Look::flag) {
        while (*static_cast<volatile unsigned*>(counter) < value) {
        }
    } else if constexpr (look == Look::update) {
        while (atomicAdd(counter, 0U) < value) {
        }
    } else if constexpr (look == Look::exchange) {
        while (atomicCAS(counter, value, value) < value) {
        }
    } else {
        while (__hip_atomic_load(counter, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) < value) {
            __builtin_amdgcn_s_sleep(2);
        }
    }
    __threadfence();
}

// Each block takes what the one behind it has left in the step before.
template<Look look>
__global__ void hand(unsigned* counter, int* values) {
    const int blocks = gridDim.x;
    for (int step = 0; step < steps; ++step) {
        if (threadIdx.x == 0) {
            const int from = (blockIdx.x + 1) % blocks;
            values[(step + 1) * blocks + blockIdx.x] = 3 * values[step * blocks + from] + static_cast<int>(blockIdx.x);
            __threadfence();
            atomicAdd(counter, 1U);
            wait<look>(counter, (step + 1) * blocks);
        }
        __syncthreads();
    }
}

// Those of one of a card's dies, as the blocks in between have nothing to do: each adds up what all have left.
__global__ void meetOnDie(unsigned* counter, int* values) {
    constexpr int dies = 8;
    if (blockIdx.x % dies != 0) {
        return;
    }
    if (threadIdx.x == 0) {
        values[blockIdx.x] = static_cast<int>(blockIdx.x) + 1;
        __threadfence();
        atomicAdd(counter, 1U);
        wait<Look::sleep>(counter, gridDim.x / dies);
        int sum = 0;
        for (unsigned block = 0; block < gridDim.x; block += dies) {
            sum += values[block];
        }
        values[blockIdx.x + 1] = sum;
    }
}

void runOnDie() {
    constexpr int blocks = 304, met = blocks / 8;
    const Device<unsigned> counter(1);
    const Device<int> values(blocks);
    meetOnDie<<<blocks, 64>>>(counter.get(), values.get());
    const std::vector<int> got = values.read();
    bool isSum = true;
    for (int block = 0; block < blocks; block += 8) {
        isSum = isSum && got[block + 1] == 4 * met * (met - 1) + met;
    }
    expect("blocks that meet among others that end", isSum);
}

template<Look look>
void run(int blocks) {
    std::vector<int> values((steps + 1) * blocks, 1);
    unsigned* counter = nullptr;
    int* device = nullptr;
    HIP_CHECK(hipMalloc(&counter, sizeof *counter));
    HIP_CHECK(hipMalloc(&device, values.size() * sizeof(int)));
    HIP_CHECK(hipMemset(counter, 0, sizeof *counter));
    HIP_CHECK(hipMemcpy(device, values.data(), values.size() * sizeof(int), hipMemcpyHostToDevice));
    hand<look><<<blocks, 64>>>(counter, device);
    HIP_CHECK(hipGetLastError());
    std::vector<int> got(values.size());
    HIP_CHECK(hipMemcpy(got.data(), device, got.size() * sizeof(int), hipMemcpyDeviceToHost));
    for (int step = 0; step < steps; ++step) {
        for (int block = 0; block < blocks; ++block) {
            values[(step + 1) * blocks + block] = 3 * values[step * blocks + (block + 1) % blocks] + block;
        }
    }
    expect("what the blocks have handed on", got == values);
    HIP_CHECK(hipFree(counter));
    HIP_CHECK(hipFree(device));
}

int main() {
    for (const int blocks : {2, 40, 304}) {
        run<Look::load>(blocks);
        run<Look::flag>(blocks);
        run<Look::update>(blocks);
        run<Look::exchange>(blocks);
        run<Look::sleep>(blocks);
    }
    runOnDie();
    return verdict();
}
