// SPDX-License-Identifier: GPL-3.0-or-later
// What looks like a fault and is none: a checked build says nothing of it.
#include "check.h"

#include <cstring>

namespace {

constexpr int count = 256;

struct Padded {
    char letter;
    double number;
};
struct Bits {
    unsigned low : 3;
    unsigned high : 5;
};
struct Arguments {
    int* to;
    int values[4];
};

__device__ int table[4] = {1, 2, 3, 4};
__constant__ int constants[4] = {5, 6, 7, 8};
__managed__ int shared = 9;

// Of a structure its fields are written and the whole is copied.
__global__ void copiesPadding(Padded* all, Padded* copies) {
    const int i = threadIdx.x;
    all[i].letter = 'a';
    all[i].number = i;
    copies[i] = all[i];
}

__global__ void setsBits(Bits* bits, int* out) {
    __shared__ Bits own[count];
    const int i = threadIdx.x;
    bits[i].high = 3;
    own[i].low = 2;
    bits[i].low = own[i].low;
    out[i] = int(bits[i].low + 8 * bits[i].high);
}

// Memory of its own: on the stack, of the heap, handed to a function that calls itself.
__device__ int sumOf(const int* values, int n) { return n == 0 ? 0 : *values + sumOf(values + 1, n - 1); }
__global__ void usesItsOwn(Arguments arguments, int which) {
    int own[8];
    for (int i = 0; i < 8; ++i) {
        own[i] = i * which;
    }
    int* const heap = static_cast<int*>(malloc(4 * sizeof(int)));
    for (int i = 0; i < 4; ++i) {
        heap[i] = arguments.values[(i + which) % 4];
    }
    const int* const chosen = threadIdx.x % 2 == 0 ? own : heap;
    arguments.to[threadIdx.x] = sumOf(own, 8) + sumOf(heap, 4) + chosen[which] + table[which] + constants[which];
    free(heap);
}

// Threads that have nothing to do end before the barrier; whole waves wait elsewhere.
__global__ void endsEarly(int* out, int n) {
    __shared__ int tile[count];
    const int i = threadIdx.x;
    if (i >= n) {
        return;
    }
    tile[i] = i;
    __syncthreads();
    out[i] = tile[n - 1 - i];
}
__global__ void wavesWaitApart(int* out) {
    __shared__ int tile[128];
    const int i = threadIdx.x;
    if (i < 64) {
        tile[i] = i;
        __syncthreads();
        out[i] = tile[i + 64];
    } else {
        tile[i] = 2 * i;
        __syncthreads();
        out[i] = tile[i - 64];
    }
}

// Unwritten bytes are copied and not looked at; vectors lie at addresses of their elements.
__global__ void copiesUnwritten(const float* from, float* to) {
    __builtin_memcpy(to + 4 * threadIdx.x, from + 4 * threadIdx.x, 16);
}
__global__ void readsVectors(const float* from, float* to) {
    const float4 four = *reinterpret_cast<const float4*>(from + 1 + 4 * threadIdx.x);
    to[threadIdx.x] = four.x + four.w;
}

// An exchange needs nothing that was there; an atomic sum begins with what the host set.
__global__ void exchanges(int* place, int* sum) {
    if (threadIdx.x == 0) {
        atomicExch(place, 5);
    }
    atomicAdd(sum, 1);
}

__global__ void usesHostMemory(const int* pinned, const int* registered, int* managed) {
    managed[threadIdx.x] = pinned[threadIdx.x] + registered[threadIdx.x] + shared;
}

__global__ void waitsForItsWave(volatile int* flag, int* out) {
    const int i = threadIdx.x;
    if (i == 0) {
        *flag = 1;
    }
    __syncthreads();
    for (int rounds = 0; *flag == 0; ++rounds) {
    }
    out[i] = i;
}

template<class T>
T* made(int n) {
    T* result = nullptr;
    (void)hipMalloc(&result, n * sizeof(T));
    return result;
}

template<class T>
std::vector<T> valuesOf(const T* from, int n) {
    std::vector<T> values(n);
    (void)hipMemcpy(values.data(), from, n * sizeof(T), hipMemcpyDeviceToHost);
    return values;
}

} // namespace

int main() {
    auto* const all = made<Padded>(count);
    auto* const copies = made<Padded>(count);
    copiesPadding<<<1, count>>>(all, copies);
    expect("padding", valuesOf(copies, count)[7].number == 7);

    auto* const out = made<int>(count);
    setsBits<<<1, count>>>(made<Bits>(count), out);
    expect("bits", valuesOf(out, count)[9] == 2 + 8 * 3);

    usesItsOwn<<<1, count>>>({out, {1, 2, 3, 4}}, 1);
    expect("own memory", valuesOf(out, count)[0] == 28 + 10 + 1 + 2 + 6);

    endsEarly<<<1, count>>>(out, 100);
    expect("threads that end", valuesOf(out, count)[0] == 99);
    wavesWaitApart<<<1, 128>>>(out);
    expect("waves apart", valuesOf(out, count)[0] == 128 && valuesOf(out, count)[64] == 0);

    auto* const from = made<float>(4 * count + 4);
    auto* const to = made<float>(4 * count);
    (void)hipMemset(from, 0, 64);
    copiesUnwritten<<<1, count>>>(from, to);
    (void)hipMemset(from, 0, (4 * count + 4) * sizeof(float));
    readsVectors<<<1, count>>>(from, to);
    expect("vectors", valuesOf(to, count)[3] == 0);

    auto* const place = made<int>(1);
    auto* const sum = made<int>(1);
    (void)hipMemsetAsync(sum, 0, sizeof(int), nullptr);
    exchanges<<<1, count>>>(place, sum);
    expect("exchange", valuesOf(place, 1)[0] == 5 && valuesOf(sum, 1)[0] == count);

    int *pinned = nullptr, *managed = nullptr;
    (void)hipHostMalloc(&pinned, count * sizeof(int));
    (void)hipMallocManaged(&managed, count * sizeof(int));
    std::vector<int> host(count, 3);
    (void)hipHostRegister(host.data(), count * sizeof(int), 0);
    std::memset(pinned, 0, count * sizeof(int));
    usesHostMemory<<<1, count>>>(pinned, host.data(), managed);
    (void)hipDeviceSynchronize();
    // A managed variable that the host never names is not registered.
    expect("memory of the host", managed[5] == 3 + shared);
    (void)hipHostUnregister(host.data());

    auto* const rows = made<float>(8 * 16);
    const std::vector<float> piece(4 * 16, 2);
    (void)hipMemcpy2D(rows, 8 * sizeof(float), piece.data(), 4 * sizeof(float), 4 * sizeof(float), 16,
                      hipMemcpyHostToDevice);
    auto* const again = made<float>(8 * 16);
    (void)hipMemcpy(again, rows, 8 * 16 * sizeof(float), hipMemcpyDeviceToDevice);
    readsVectors<<<1, 1>>>(again - 1, to);
    expect("rows", valuesOf(to, 1)[0] == 4);

    auto* const flag = made<int>(1);
    (void)hipMemset(flag, 0, sizeof(int));
    waitsForItsWave<<<1, 128>>>(flag, out);
    expect("a flag", valuesOf(out, 1)[0] == 0);

    // Memory that comes again after it was freed.
    for (int i = 0; i < 100; ++i) {
        auto* const some = made<int>(count);
        (void)hipMemset(some, 0, count * sizeof(int));
        exchanges<<<1, count>>>(place, some);
        (void)hipFree(some);
    }
    expect("freed memory", hipDeviceSynchronize() == hipSuccess);
    return verdict();
}
