// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks that wait for each other by flags and locks: as inline assembly writes and reads them past the caches (sc0,
// sc1), nontemporal, relaxed between fences. Each block makes its number of what the one before it has left.
#include "check.h"

#include <numeric>

constexpr int blocks = 300;

__device__ void setByAssembly(unsigned* flag, unsigned value) {
    asm volatile("buffer_wbl2 sc1\n s_waitcnt vmcnt(0) lgkmcnt(0)\n global_store_dword %0, %1, off sc1" ::"v"(flag),
                 "v"(value)
                 : "memory");
}
__device__ unsigned getByAssembly(const unsigned* flag) {
    unsigned value;
    asm volatile("global_load_dword %0, %1, off sc1\n s_waitcnt vmcnt(0)\n buffer_inv sc1"
                 : "=v"(value)
                 : "v"(flag)
                 : "memory");
    return value;
}

struct Assembly {
    static __device__ void set(unsigned* flag) { setByAssembly(flag, 1); }
    static __device__ bool isSet(const unsigned* flag) { return getByAssembly(flag) != 0; }
};
struct SetByAssembly {
    static __device__ void set(unsigned* flag) { setByAssembly(flag, 1); }
    static __device__ bool isSet(const unsigned* flag) {
        return __hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) != 0;
    }
};
struct ReadByAssembly {
    static __device__ void set(unsigned* flag) {
        __hip_atomic_store(flag, 1U, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
    }
    static __device__ bool isSet(const unsigned* flag) { return getByAssembly(flag) != 0; }
};
struct Nontemporal {
    static __device__ void set(unsigned* flag) {
        __threadfence();
        __builtin_nontemporal_store(1U, flag);
    }
    static __device__ bool isSet(const unsigned* flag) { return __builtin_nontemporal_load(flag) != 0; }
};
struct Relaxed {
    static __device__ void set(unsigned* flag) {
        __threadfence();
        __hip_atomic_store(flag, 1U, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    }
    static __device__ bool isSet(const unsigned* flag) {
        return __hip_atomic_load(flag, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) != 0;
    }
};

struct Plain {
    static __device__ void set(unsigned* flag) {
        __threadfence();
        *flag = 1;
    }
    static __device__ bool isSet(const unsigned* flag) { return *static_cast<const volatile unsigned*>(flag) != 0; }
};

template<class Flag>
__global__ void oneAfterTheOther(unsigned* flags, int* numbers) {
    if (threadIdx.x == 0) {
        int before = 0;
        if (blockIdx.x > 0) {
            while (!Flag::isSet(flags + blockIdx.x - 1)) {
            }
            __threadfence();
            before = numbers[blockIdx.x - 1];
        }
        numbers[blockIdx.x] = before + 1;
        Flag::set(flags + blockIdx.x);
    }
}

// All lanes wait, and the number is in one word with the flag.
__global__ void inOneWord(unsigned long* words) {
    unsigned long before = 0;
    for (const unsigned long* from = words + blockIdx.x - 1; blockIdx.x > 0 && before >> 32 == 0;) {
        asm volatile("global_load_dwordx2 %0, %1, off sc0 sc1\n s_waitcnt vmcnt(0)"
                     : "=v"(before)
                     : "v"(from)
                     : "memory");
    }
    const unsigned long mine = 1UL << 32 | static_cast<unsigned>(before + 1);
    unsigned long* const to = words + blockIdx.x;
    if (threadIdx.x == 0) {
        asm volatile("global_store_dwordx2 %0, %1, off sc0 sc1" ::"v"(to), "v"(mine) : "memory");
    }
}

// Every thread adds to a sum of its own that the blocks share, in turns or behind a lock, in two steps.
__device__ void add(int* sums, int value) {
    const int sum = __hip_atomic_load(sums + threadIdx.x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) + value;
    asm volatile("global_store_dword %0, %1, %2 sc0 sc1\n s_waitcnt vmcnt(0)" ::"v"(
                     static_cast<unsigned>(threadIdx.x * sizeof(int))),
                 "v"(sum), "s"(sums)
                 : "memory");
}
__global__ void inTurns(unsigned* turn, int* sums) {
    if (threadIdx.x == 0) {
        while (getByAssembly(turn) != blockIdx.x) {
        }
    }
    __syncthreads();
    add(sums, static_cast<int>(blockIdx.x));
    __syncthreads();
    if (threadIdx.x == 0) {
        setByAssembly(turn, blockIdx.x + 1);
    }
}
__global__ void behindLock(unsigned* lock, int* sums) {
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0U, 1U) != 0U) {
        }
    }
    __syncthreads();
    add(sums, static_cast<int>(blockIdx.x));
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicExch(lock, 0U);
    }
}

// The lock is given back, and the turn passed on, by a plain store behind a barrier.
__global__ void behindLockOfCuda(unsigned* lock, int* sums) {
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0U, 1U) != 0U) {
        }
    }
    __syncthreads();
    sums[threadIdx.x] += static_cast<int>(blockIdx.x);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        *lock = 0;
    }
}
__global__ void inTurnsOfCuda(unsigned* turn, int* sums) {
    if (threadIdx.x == 0) {
        while (*static_cast<volatile unsigned*>(turn) != blockIdx.x) {
        }
    }
    __syncthreads();
    sums[threadIdx.x] += static_cast<int>(blockIdx.x);
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        *turn = blockIdx.x + 1;
    }
}

template<class Kernel>
void sums(const char* name, Kernel kernel) {
    const Device<unsigned> flag(1);
    const Device<int> out(256);
    kernel<<<blocks, 256>>>(flag.get(), out.get());
    expect(name, out.read() == std::vector<int>(256, blocks * (blocks - 1) / 2));
}

template<class Flag>
void chain(const char* name) {
    const Device<unsigned> flags(blocks);
    const Device<int> out(blocks);
    oneAfterTheOther<Flag><<<blocks, 64>>>(flags.get(), out.get());
    std::vector<int> numbers(blocks);
    std::iota(numbers.begin(), numbers.end(), 1);
    expect(name, out.read() == numbers);
}

int main() {
    chain<Assembly>("flags of assembly");
    chain<SetByAssembly>("flags that assembly sets");
    chain<ReadByAssembly>("flags that assembly reads");
    chain<Nontemporal>("nontemporal flags");
    chain<Relaxed>("relaxed flags between fences");
    chain<Plain>("plain flags behind fences");
    const Device<unsigned long> words(blocks);
    inOneWord<<<blocks, 64>>>(words.get());
    expect("a number and its flag in one word", words.read().back() == (1UL << 32 | blocks));
    sums("turns", inTurns);
    sums("a lock", behindLock);
    sums("turns passed on plainly", inTurnsOfCuda);
    sums("a lock given back plainly", behindLockOfCuda);
    return verdict();
}
