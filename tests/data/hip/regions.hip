// SPDX-License-Identifier: GPL-3.0-or-later
// Where values of a kernel's regions could be mixed up: threads that end early, values that only some threads have or that the next turn
// of a loop computes anew, atomics that order threads, indices that wrap. Each kernel against the same sums on the host.
#include "check.h"

#include <algorithm>
#include <functional>

// The last thread of the block ends first, with values that the others still need.
__global__ void endsEarly(const int* in, int* out, int n) {
    __shared__ int shared[64];
    const int t = threadIdx.x;
    if (t >= n) {
        return;
    }
    const int value = in[0];
    shared[t] = t;
    __syncthreads();
    out[t] = value + shared[(t + 1) % n];
}

// Every thread counts in the same place, and takes a number of its own.
__global__ void countsInLds(int* out) {
    __shared__ int count;
    __shared__ int taken[256];
    if (threadIdx.x == 0) {
        count = 0;
    }
    taken[threadIdx.x] = 0;
    __syncthreads();
    const int mine = atomicAdd(&count, 1);
    __syncthreads();
    taken[mine] = 1;
    __syncthreads();
    out[threadIdx.x] = taken[threadIdx.x] + count;
}

__device__ int lock, handedOut;

// A critical section hands each thread a number.
__global__ void takesALock(int* out) {
    __shared__ int taken[64];
    int mine = 0;
    for (bool done = false; !done;) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            mine = handedOut;
            handedOut = mine + 1;
            __threadfence();
            atomicExch(&lock, 0);
            done = true;
        }
    }
    taken[threadIdx.x] = 0;
    __syncthreads();
    taken[mine] = 1;
    __syncthreads();
    out[threadIdx.x] = taken[threadIdx.x];
}

// Only the first threads ever set `some`, and only the first one reads it.
__global__ void hasItInSome(const int* in, int* out) {
    __shared__ int shared[64];
    const int t = threadIdx.x;
    int some;
    if (t < 12) {
        some = in[3];
    }
    shared[t] = t;
    __syncthreads();
    int sum = shared[(t + 1) % blockDim.x];
    if (t < 1) {
        sum += some;
    }
    out[t] = sum;
}

__global__ void wraps(long long* wide, int* divided, int* rest) {
    const int value = static_cast<int>(threadIdx.x + 0x7fffffe0u);
    wide[threadIdx.x] = value;
    divided[threadIdx.x] = value / 48;
    rest[threadIdx.x] = value % 48;
}

// What is computed before a barrier and used behind it, while the next turn has other values already.
__global__ void swaps(int* out, int a, int b, int n) {
    __shared__ int shared[2][64];
    const int t = threadIdx.x;
    int before = 0, sum = 0;
    for (int i = 0;; ++i) {
        const int product = a * 3;
        shared[i & 1][t] = t + product;
        __syncthreads();
        const int later = product + 5;
        sum += shared[i & 1][t] * (before + 1);
        if (i > t + n) {
            out[t] = sum;
            return;
        }
        before = later;
        const int old = a;
        a = b;
        b = old;
    }
}

int swapsOnHost(int t, int a, int b, int n) {
    int before = 0, sum = 0;
    for (int i = 0;; ++i) {
        const int product = a * 3;
        sum += (t + product) * (before + 1);
        if (i > t + n) {
            return sum;
        }
        before = product + 5;
        std::swap(a, b);
    }
}

// `factor` changes on one of two ways to the same barrier.
__global__ void passesBy(const int* in, int* out, int n, int next) {
    __shared__ int shared[2][64];
    const int t = threadIdx.x;
    int sum = 0, turn = 0, factor = 5;
    if (t < 2) {
        out[t] = 0;
        return;
    }
    for (bool more = true; more;) {
        int inner = 0;
        do {
            shared[turn & 1][t] = t + turn;
            __syncthreads();
            sum += shared[turn & 1][t] * factor;
            more = ++turn < n;
        } while (more && ++inner < in[turn & 7]);
        factor = next;
    }
    out[t] = sum;
}

int passesByOnHost(int t, int n, int next) {
    int sum = 0, turn = 0, factor = 5;
    for (bool more = t >= 2; more;) {
        int inner = 0;
        do {
            sum += (t + turn) * factor;
            more = ++turn < n;
        } while (more && ++inner < 3);
        factor = next;
    }
    return sum;
}

// What the whole block voted for decides on barriers.
__global__ void votesForABarrier(const int* in, int* out) {
    __shared__ int shared[64];
    const int t = threadIdx.x, n = blockDim.x;
    int value = in[t] + t, turns = 0;
    shared[t] = value;
    while (__syncthreads_or(value < n + 7)) {
        value += shared[(t + 1) % n];
        __syncthreads();
        shared[t] = value;
        ++turns;
    }
    if (__syncthreads_count(t & 1) == n / 2) {
        __syncthreads();
        value += shared[(t + 3) % n];
    }
    out[t] = value * 100 + turns;
}

std::vector<int> votesForABarrierOnHost(int n) {
    std::vector<int> value(n), shared(n);
    int turns = 0;
    for (int t = 0; t < n; ++t) {
        shared[t] = value[t] = 3 + t;
    }
    for (; *std::min_element(value.begin(), value.end()) < n + 7; ++turns) {
        for (int t = 0; t < n; ++t) {
            value[t] += shared[(t + 1) % n];
        }
        shared = value;
    }
    for (int t = 0; t < n; ++t) {
        value[t] = (value[t] + shared[(t + 3) % n]) * 100 + turns;
    }
    return value;
}

// Where the first thread of a strip does not take the branch, and another one does, the quotient is that of both.
__global__ void dividesInABranch(const int* in, int* out, unsigned n, int m) {
    const unsigned t = threadIdx.x;
    int value = t;
    if (t & 2) {
        value = 5 * value + in[n % blockDim.x];
    }
    if (in[t] > 40) {
        value += in[m / static_cast<int>(blockDim.x)];
    }
    out[t] = value;
}

int main() {
    const std::vector<int> threes(64, 3);
    const Device<int> in(threes);
    const auto holds = [](const char* name, const Device<int>& out, int threads, const std::function<int(int)>& expected) {
        const std::vector<int> got = out.read();
        bool same = true;
        for (int t = 0; t < threads; ++t) {
            same = same && got[t] == expected(t);
        }
        expect(name, same);
    };
    for (const int block : {16, 17, 64}) {
        const Device<int> early(64), some(64), swapped(64), passed(64);
        endsEarly<<<1, block>>>(in.get(), early.get(), 10);
        holds("threads that end first", early, 10, [](int t) { return 3 + (t + 1) % 10; });
        hasItInSome<<<1, block>>>(in.get(), some.get());
        holds("a value of some threads", some, block, [&](int t) { return (t + 1) % block + (t < 1 ? 3 : 0); });
        swaps<<<1, block>>>(swapped.get(), 7, 3, 0);
        holds("a value of the turn before", swapped, block, [](int t) { return swapsOnHost(t, 7, 3, 0); });
        passesBy<<<1, block>>>(in.get(), passed.get(), 7, 2);
        holds("a value that is passed by", passed, block, [](int t) { return passesByOnHost(t, 7, 2); });
        const Device<int> voted(64);
        votesForABarrier<<<1, block>>>(in.get(), voted.get());
        const std::vector<int> outcome = votesForABarrierOnHost(block);
        holds("barriers after a vote", voted, block, [&](int t) { return outcome[t]; });
    }
    const Device<int> counted(256), locked(64);
    countsInLds<<<1, 256>>>(counted.get());
    holds("numbers by an atomic in LDS", counted, 256, [](int) { return 257; });
    takesALock<<<1, 8>>>(locked.get());
    holds("numbers under a lock", locked, 8, [](int) { return 1; });
    const Device<long long> wide(48);
    const Device<int> divided(48), rest(48);
    wraps<<<1, 48>>>(wide.get(), divided.get(), rest.get());
    const auto value = [](int t) { return static_cast<int>(t + 0x7fffffe0u); };
    holds("a quotient that is negative", divided, 48, [&](int t) { return value(t) / 48; });
    holds("a remainder that is negative", rest, 48, [&](int t) { return value(t) % 48; });
    std::vector<int> numbers(64);
    for (int t = 0; t < 64; ++t) {
        numbers[t] = 3 * t + 1;
    }
    const Device<int> several(numbers), quotients(64);
    dividesInABranch<<<1, 64>>>(several.get(), quotients.get(), 99, 640);
    holds("a quotient behind a branch", quotients, 64, [&](int t) {
        return (t & 2 ? 5 * t + numbers[99 % 64] : t) + (numbers[t] > 40 ? numbers[640 / 64] : 0);
    });
    const std::vector<long long> sums = wide.read();
    expect("a sum that wraps", sums[31] == value(31) && sums[32] == value(32));
    return verdict();
}
