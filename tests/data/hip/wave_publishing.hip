// SPDX-License-Identifier: GPL-3.0-or-later
// Waves that share memory with other blocks and have no barrier: all lanes store and one says so, one waits and all
// lanes read. Block 0 waits for block 1.
#include "check.h"

#include <numeric>

constexpr int lanes = 64;
constexpr int rounds = 3;

enum class Order { fence, wait, release, sleep, nontemporal };

template<Order order>
__device__ void say(unsigned* flag, unsigned value) {
    if (order == Order::nontemporal) {
        __builtin_nontemporal_store(value, flag);
        return;
    }
    __hip_atomic_store(flag, value, order == Order::release ? __ATOMIC_RELEASE : __ATOMIC_RELAXED,
                       __HIP_MEMORY_SCOPE_AGENT);
}
template<Order order>
__device__ void waitFor(const unsigned* flag, unsigned value) {
    while (__hip_atomic_load(flag, order == Order::release ? __ATOMIC_ACQUIRE : __ATOMIC_RELAXED,
                             __HIP_MEMORY_SCOPE_AGENT) != value) {
        if (order == Order::sleep) {
            __builtin_amdgcn_s_sleep(1);
        }
    }
    if (order != Order::release) {
        __threadfence();
    }
}
template<Order order>
__device__ void finishStores() {
    if (order == Order::wait) {
        __builtin_amdgcn_s_waitcnt(0);
    } else if (order != Order::release) {
        __threadfence();
    }
}

// Block 1 hands numbers over and gets their doubles back; either time `speaker` alone says so and waits.
template<Order order>
__global__ void handOver(int* numbers, unsigned* flags, int speaker) {
    const int lane = threadIdx.x, other = (lane + 17) % lanes;
    for (unsigned round = 1; round <= rounds; ++round) {
        if (blockIdx.x == 0) {
            if (lane == speaker) {
                waitFor<order>(flags, round);
            }
            const int number = 2 * __hip_atomic_load(numbers + other, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
            __hip_atomic_store(numbers + lanes + lane, number, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
            finishStores<order>();
            if (lane == speaker) {
                say<order>(flags + 1, round);
            }
        } else {
            const int number = __hip_atomic_load(numbers + lanes + other, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
            __hip_atomic_store(numbers + lane, number + lane, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
            finishStores<order>();
            if (lane == speaker) {
                say<order>(flags, round);
                waitFor<order>(flags + 1, round);
            }
        }
    }
}

template<Order order>
void expectHandedOver(const char* name) {
    std::vector<int> wanted(2 * lanes);
    for (int round = 0; round < rounds; ++round) {
        for (int lane = 0; lane < lanes; ++lane) {
            wanted[lane] = wanted[lanes + (lane + 17) % lanes] + lane;
        }
        for (int lane = 0; lane < lanes; ++lane) {
            wanted[lanes + lane] = 2 * wanted[(lane + 17) % lanes];
        }
    }
    for (const int speaker : {0, lanes - 1}) {
        const Device<int> numbers(2 * lanes);
        const Device<unsigned> flags(2);
        handOver<order><<<2, lanes>>>(numbers.get(), flags.get(), speaker);
        expect(name, numbers.read() == wanted);
    }
}

// Waves add, in two steps, to sums that they share behind a lock; the store and the wait for it are one statement.
__global__ void addBehindLock(unsigned* lock, int* sums) {
    const int lane = threadIdx.x;
    if (lane == 0) {
        while (atomicCAS(lock, 0U, 1U) != 0U) {
        }
    }
    __syncthreads();
    const int sum = __hip_atomic_load(sums + lane, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) + 1;
    asm volatile("global_store_dword %0, %1, %2 sc0 sc1\n s_waitcnt vmcnt(0)" ::"v"(lane * 4), "v"(sum), "s"(sums)
                 : "memory");
    if (lane == 0) {
        while (atomicCAS(lock, 1U, 0U) != 1U) {
        }
    }
}

// The wave that comes last adds up what all have left, as the first lane has found out for the others.
__global__ void lastOneSums(const int* numbers, int* parts, unsigned* counter, int* sums) {
    const int lane = threadIdx.x, waves = gridDim.x;
    parts[blockIdx.x * lanes + lane] = numbers[blockIdx.x * lanes + lane] + 1;
    __threadfence();
    unsigned before = 0;
    if (lane == 0) {
        before = atomicAdd(counter, 1U);
    }
    if (__builtin_amdgcn_readfirstlane(before) == waves - 1) {
        __threadfence();
        int sum = 0;
        for (int wave = 0; wave < waves; ++wave) {
            sum += parts[wave * lanes + (lane + 5) % lanes];
        }
        sums[lane] = sum;
    }
}

// All lanes wait for an answer that comes once `speaker` has asked; of each wave by itself.
__global__ void ask(int* numbers, unsigned* flags, int speaker) {
    const int lane = threadIdx.x % lanes, wave = threadIdx.x / lanes, other = lanes - 1 - lane;
    int* const mine = numbers + 2 * wave * lanes;
    unsigned* const asked = flags + 2 * wave;
    if (blockIdx.x == 0) {
        mine[lane] = wave + lane;
        __threadfence();
        if (lane == speaker) {
            atomicExch(asked, 1U);
        }
        waitFor<Order::fence>(asked + 1, 1);
        mine[lane] += mine[lanes + other];
    } else {
        if (lane == speaker) {
            waitFor<Order::fence>(asked, 1);
        }
        mine[lanes + lane] = 2 * mine[other];
        __threadfence();
        if (lane == speaker) {
            atomicExch(asked + 1, 1U);
        }
    }
}

void expectAnswered() {
    for (const int waves : {1, 3}) {
        for (const int speaker : {0, 37}) {
            const Device<int> numbers(2 * waves * lanes);
            const Device<unsigned> flags(2 * waves);
            ask<<<2, waves * lanes>>>(numbers.get(), flags.get(), speaker);
            const std::vector<int> got = numbers.read();
            bool isRight = true;
            for (int i = 0; i < waves * lanes; ++i) {
                isRight = isRight && got[i / lanes * 2 * lanes + i % lanes] == 3 * (i / lanes + i % lanes);
            }
            expect("waves that ask and wait", isRight);
        }
    }
}

// As the ranks of an all-reduce begin: each lane sets a flag at another rank, and waits for that rank's.
__global__ void meetRanks(unsigned* flags, unsigned* ends) {
    const unsigned ranks = gridDim.x, rank = blockIdx.x, lane = threadIdx.x;
    if (lane < ranks) {
        const unsigned other = (rank + lane) % ranks;
        __hip_atomic_store(flags + other * ranks + rank, 1U, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
        waitFor<Order::release>(flags + rank * ranks + other, 1);
    }
    if (lane == 0) {
        ends[rank] = 1;
    }
}

int main() {
    expectHandedOver<Order::fence>("stores, a fence and a flag of one lane");
    expectHandedOver<Order::wait>("a wait for stores in place of the fence");
    expectHandedOver<Order::release>("a flag that orders");
    expectHandedOver<Order::sleep>("a lane that sleeps until the flag");
    expectHandedOver<Order::nontemporal>("a nontemporal flag");
    expectAnswered();
    constexpr unsigned ranks = 4;
    const Device<unsigned> flagsOfRanks(ranks * ranks), ends(ranks);
    meetRanks<<<ranks, lanes>>>(flagsOfRanks.get(), ends.get());
    expect("ranks that meet", ends.read() == std::vector<unsigned>(ranks, 1));
    constexpr int waves = 40;
    const Device<unsigned> lock(1);
    const Device<int> added(lanes);
    addBehindLock<<<waves, lanes>>>(lock.get(), added.get());
    expect("sums behind a lock", added.read() == std::vector<int>(lanes, waves));
    std::vector<int> numbers(waves * lanes), wanted(lanes);
    std::iota(numbers.begin(), numbers.end(), 0);
    for (int lane = 0; lane < lanes; ++lane) {
        for (int wave = 0; wave < waves; ++wave) {
            wanted[lane] += numbers[wave * lanes + (lane + 5) % lanes] + 1;
        }
    }
    const Device<int> given(numbers), parts(waves * lanes), sums(lanes);
    const Device<unsigned> counter(1);
    lastOneSums<<<waves, lanes>>>(given.get(), parts.get(), counter.get(), sums.get());
    expect("the last wave adds up", sums.read() == wanted);
    return verdict();
}
