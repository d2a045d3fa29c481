// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels whose threads touch memory in rows, all of them right: what --checked tells of whole blocks at once must not
// be taken for a fault.
#include "check.h"

#include <algorithm>

constexpr int threads = 256;

// All write the same there: who comes second changes nothing.
__global__ void sameValue(int* out) {
    __shared__ int one;
    one = 7;
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = one + (int)threadIdx.x;
    out[gridDim.x * blockDim.x] = 9;
}

// What a thread has written it may read, and so may its wave.
__global__ void ownValue(int* out) {
    __shared__ int own[threads], turned[threads];
    const int t = threadIdx.x;
    own[t] = t * 3;
    turned[t ^ 63] = own[t] + 1;
    const int back = own[t];
    __syncthreads();
    out[t] = back + turned[t];
}

// Only the first wave uses what it was called with, and it writes there; the others have read nothing.
__device__ int byFirstWave(int sum, int* shared) {
    if (threadIdx.x < 64) {
        const int more = sum * 2;
        if (threadIdx.x == 0) {
            *shared = more + 1;
        }
    }
    __syncthreads();
    return *shared;
}
__global__ void overwrittenByFirstWave(int* out) {
    __shared__ int sums[4];
    if (threadIdx.x == 0) {
        sums[3] = 20;
    }
    __syncthreads();
    out[threadIdx.x] = byFirstWave(sums[3], &sums[3]) + (int)threadIdx.x;
}

// Two stores to one place; the second counts.
__global__ void twice(int* out) {
    const int t = threadIdx.x;
    out[t] = -1;
    out[t] = out[t] + t + 1;
}

// The last block is not full, whatever the limit's type and side.
__global__ void guardedSigned(const float* a, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = y[i] + 2 * a[i];
    }
}
__global__ void guardedSize(const float* a, float* y, size_t n) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (n > i) {
        y[i] = y[i] + 2 * a[i];
    }
}
__global__ void guardedReturn(const float* a, float* y, int n) {
    const int i = n - 1 - (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < 0) {
        return;
    }
    y[i] = y[i] + 2 * a[i];
}
__global__ void guardedPlane(const float* a, float* y, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, line = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && line < height) {
        y[line * width + x] = y[line * width + x] + 2 * a[line * width + x];
    }
}
// The inner points of a box; the border cuts strips of threads in two.
__global__ void laplacian(const float* a, float* y, int nx, int ny, int nz) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    const int k = blockIdx.z * blockDim.z + threadIdx.z;
    if (i == 0 || i >= nx - 1 || j == 0 || j >= ny - 1 || k == 0 || k >= nz - 1) {
        return;
    }
    const int c = i + nx * (j + ny * k);
    y[c] = a[c - 1] + a[c + 1] + a[c - nx] + a[c + nx] + a[c - nx * ny] + a[c + nx * ny] - 6 * a[c];
}
// Lanes that do not lie side by side.
__global__ void someLanes(const float* a, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && (i % 16 < 3 || i % 16 > 11)) {
        y[i] = y[i] + 2 * a[i];
    }
}
// What all lanes do before some of them go on.
__global__ void allThenSome(const float* a, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = a[i];
    if (i < n) {
        y[i] = y[i] + 2 * a[i];
    }
}
// A number that no thread's index may pass, and that wraps round for the others.
__global__ void guardedWrap(const float* a, float* y, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x - 5u;
    if (i < n) {
        y[i] = y[i] + 2 * a[i];
    }
}

// One buffer is read while the other one is filled.
__global__ void twoBuffers(const int* in, int* out, int rounds) {
    __shared__ int tile[2][threads];
    const int t = threadIdx.x;
    tile[0][t] = in[t];
    int sum = 0;
    for (int i = 0; i < rounds; ++i) {
        __syncthreads();
        sum += tile[i % 2][(t + 64) % threads];
        tile[(i + 1) % 2][t] = in[(i + 1) * threads + t];
    }
    out[t] = sum;
}

// Rows and columns change places.
__global__ void turned(const float* in, float* out, int n) {
    __shared__ float tile[16][17];
    const int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[(blockIdx.y * 16 + y) * n + blockIdx.x * 16 + x];
    __syncthreads();
    out[(blockIdx.x * 16 + y) * n + blockIdx.y * 16 + x] = tile[x][y];
}

// Filled by the first wave alone, and read by all behind the barrier.
__global__ void filledByOneWave(int* out) {
    __shared__ int table[64];
    const int t = threadIdx.x;
    if (t < 64) {
        table[t] = t * t;
    }
    __syncthreads();
    out[t] = table[t % 64] + table[63 - t % 64];
}

// Atomics on what was written in rows before.
__global__ void counted(const int* in, int* out) {
    __shared__ int bins[threads];
    const int t = threadIdx.x;
    bins[t] = 0;
    __syncthreads();
    atomicAdd(&bins[in[t] % threads], 1);
    __syncthreads();
    out[t] = bins[t];
}

// Numbers of eight bits wrap round on the way, and so do quotients of what has wrapped round.
__global__ void narrowGuard(unsigned char* out, unsigned char from) {
    unsigned char j = threadIdx.x;
    j += from;
    if (j >= 200) {
        out[j] = 1;
    }
}
__global__ void ring(const int* in, int* out, unsigned char from) {
    unsigned char j = threadIdx.x;
    j += from;
    out[j] = in[j] + 1;
}
__global__ void quotients(int* out) {
    const unsigned j = 96u - 48u * threadIdx.y;
    const int q = (int)(j >> 4);
    if (q < 7) {
        out[q * 16 + threadIdx.x] = q;
    }
}

// A step of a sort: who meets whom depends on a power of two that is not known before. It divides what is computed of
// it by a shift and by a mask.
__global__ void exchanged(int* a, unsigned shift) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, distance = 1u << shift;
    const unsigned left = i % distance + i / distance * (2 * distance), right = left + distance;
    const int x = a[left], y = a[right];
    a[left] = x < y ? x : y;
    a[right] = x < y ? y : x;
}
__global__ void shared(const int* a, int* out, unsigned shift, unsigned mask) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = a[i >> shift] - a[i & mask];
}

// The second store writes over what a neighbour has stored, with the same value.
__global__ void overlappingTails(const int* in, int* out, int n) {
    const int t = threadIdx.x;
    out[t] = in[t];
    out[n - (int)blockDim.x + t] = in[n - (int)blockDim.x + t];
}

struct Fields {
    unsigned a : 5, b : 7, c : 20;
};
__global__ void fields(Fields* out, unsigned x) {
    out[threadIdx.x].a = x;
    out[threadIdx.x].b = 2 * x;
}

bool isNear(float a, float b) {
    return a - b < 1e-3f && b - a < 1e-3f;
}

template<class Launch>
void guarded(const char* name, int n, Launch launch) {
    std::vector<float> a(n), y(n);
    for (int i = 0; i < n; ++i) {
        a[i] = i % 17;
        y[i] = i % 5;
    }
    Device<float> da(a), dy(y);
    launch(da.get(), dy.get());
    const std::vector<float> got = dy.read();
    bool isRight = true;
    for (int i = 0; i < n; ++i) {
        isRight = isRight && isNear(got[i], y[i] + 2 * a[i]);
    }
    expect(name, isRight);
}

int main() {
    {
        Device<int> out(2 * threads + 1);
        sameValue<<<2, threads>>>(out.get());
        const auto got = out.read();
        expect("the same value by all", got[0] == 7 && got[threads + 5] == 12 && got[2 * threads] == 9);
    }
    {
        Device<int> out(threads);
        ownValue<<<1, threads>>>(out.get());
        const auto got = out.read();
        expect("what a thread has written", got[0] == 0 + 63 * 3 + 1 && got[100] == 300 + (100 ^ 63) * 3 + 1);
        overwrittenByFirstWave<<<1, threads>>>(out.get());
        expect("a value that one wave uses", out.read()[200] == 241);
        twice<<<1, threads>>>(out.get());
        expect("two stores", out.read()[9] == 9);
    }
    constexpr int n = 1000;
    const int blocks = (n + threads - 1) / threads;
    guarded("a guard", n, [&](const float* a, float* y) { guardedSigned<<<blocks, threads>>>(a, y, n); });
    guarded("a guard of sizes", n, [&](const float* a, float* y) { guardedSize<<<blocks, threads>>>(a, y, n); });
    guarded("a guard that returns", n, [&](const float* a, float* y) { guardedReturn<<<blocks, threads>>>(a, y, n); });
    guarded("a guard of a plane", 50 * 20,
            [&](const float* a, float* y) { guardedPlane<<<dim3(4, 2), dim3(16, 16)>>>(a, y, 50, 20); });
    guarded("a guard that wraps round", n,
            [&](const float* a, float* y) { guardedWrap<<<blocks + 1, threads>>>(a, y, n); });
    {
        constexpr int nx = 37, ny = 11, nz = 6, points = nx * ny * nz;
        std::vector<float> a(points);
        for (int c = 0; c < points; ++c) {
            a[c] = c * 7 % 23;
        }
        Device<float> da(a), dy(std::vector<float>(points, -1));
        laplacian<<<dim3(2, 3, 3), dim3(32, 4, 2)>>>(da.get(), dy.get(), nx, ny, nz);
        const auto got = dy.read();
        bool isRight = true;
        for (int c = 0; c < points; ++c) {
            const int i = c % nx, j = c / nx % ny, k = c / (nx * ny);
            const bool isInner = i > 0 && i < nx - 1 && j > 0 && j < ny - 1 && k > 0 && k < nz - 1;
            isRight = isRight && got[c] == (isInner ? a[c - 1] + a[c + 1] + a[c - nx] + a[c + nx] + a[c - nx * ny] +
                                                          a[c + nx * ny] - 6 * a[c]
                                                    : -1);
        }
        expect("a stencil", isRight);
        Device<float> some(std::vector<float>(n, 1)), other(std::vector<float>(n, 3));
        someLanes<<<blocks, threads>>>(some.get(), other.get(), n);
        const auto lanes = other.read();
        Device<float> whole(std::vector<float>(threads, 1)), sums(threads);
        allThenSome<<<1, threads>>>(whole.get(), sums.get(), 40);
        const auto sum = sums.read();
        expect("all lanes, then some", sum[39] == 3 && sum[40] == 1 && sum[47] == 1 && sum[100] == 1);
        expect("some lanes", lanes[0] == 5 && lanes[2] == 5 && lanes[3] == 3 && lanes[11] == 3 && lanes[12] == 5 &&
                                 lanes[n - 1] == 3 && lanes[n - 7] == 5);
    }
    {
        constexpr int rounds = 6;
        std::vector<int> in((rounds + 1) * threads);
        for (std::size_t i = 0; i < in.size(); ++i) {
            in[i] = i * 7 % 31;
        }
        Device<int> din(in), out(threads);
        twoBuffers<<<1, threads>>>(din.get(), out.get(), rounds);
        int sum = 0;
        for (int i = 0; i < rounds; ++i) {
            sum += in[i * threads + (3 + 64) % threads];
        }
        expect("two buffers", out.read()[3] == sum);
        counted<<<1, threads>>>(din.get(), out.get());
        int bin = 0;
        for (int i = 0; i < threads; ++i) {
            bin += in[i] == 4;
        }
        expect("counted", out.read()[4] == bin);
        filledByOneWave<<<1, threads>>>(out.get());
        expect("filled by one wave", out.read()[70] == 6 * 6 + 57 * 57);
    }
    {
        constexpr int size = 64;
        std::vector<float> in(size * size);
        for (int i = 0; i < size * size; ++i) {
            in[i] = i;
        }
        Device<float> din(in), out(size * size);
        turned<<<dim3(size / 16, size / 16), dim3(16, 16)>>>(din.get(), out.get(), size);
        expect("turned", out.read()[3 * size + 50] == 50 * size + 3);
    }
    {
        Device<unsigned char> out(256);
        narrowGuard<<<1, 256>>>(out.get(), 200);
        const auto got = out.read();
        expect("a narrow guard", got[199] == 0 && got[200] == 1 && got[255] == 1 && got[0] == 0);
        std::vector<int> in(256);
        for (int i = 0; i < 256; ++i) {
            in[i] = i;
        }
        Device<int> din(in), ringed(256);
        ring<<<1, 256>>>(din.get(), ringed.get(), 100);
        const auto round = ringed.read();
        expect("a ring", round[0] == 1 && round[99] == 100 && round[255] == 256);
        overlappingTails<<<1, 128>>>(din.get(), ringed.get(), 170);
        expect("overlapping tails", ringed.read()[169] == 169);
        Device<int> q(7 * 16);
        quotients<<<1, dim3(16, 4)>>>(q.get());
        expect("quotients of what wraps round", q.read()[6 * 16 + 3] == 6 && q.read()[3 * 16] == 3);
        for (unsigned shift = 0; shift < 10; ++shift) {
            std::vector<int> mixed(4 * threads);
            for (int i = 0; i < 4 * threads; ++i) {
                mixed[i] = (i * 37 + 11) % 1021;
            }
            Device<int> pairs(mixed), differences(2 * threads);
            exchanged<<<2, threads>>>(pairs.get(), shift);
            const auto sorted = pairs.read();
            bool isRight = true;
            for (int i = 0; i < 4 * threads; ++i) {
                const int other = i ^ (1 << shift);
                isRight = isRight && sorted[i] == (i < other ? std::min(mixed[i], mixed[other])
                                                             : std::max(mixed[i], mixed[other]));
            }
            expect("pairs at a distance", isRight);
            shared<<<2, threads>>>(pairs.get(), differences.get(), shift, (1u << shift) - 1);
            const auto got = differences.read();
            for (int i = 0; i < 2 * threads; ++i) {
                isRight = isRight && got[i] == sorted[i >> shift] - sorted[i & ((1 << shift) - 1)];
            }
            expect("shifted and masked numbers", isRight);
        }
        Fields* raw = nullptr; // nobody has written it
        HIP_CHECK(hipMalloc(reinterpret_cast<void**>(&raw), 64 * sizeof(Fields)));
        fields<<<1, 64>>>(raw, 3);
        Fields one;
        HIP_CHECK(hipMemcpy(&one, raw, sizeof one, hipMemcpyDeviceToHost));
        expect("fields of bits", one.a == 3 && one.b == 6);
        HIP_CHECK(hipFree(raw));
    }
    return verdict();
}
