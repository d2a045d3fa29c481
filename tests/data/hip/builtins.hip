// SPDX-License-Identifier: GPL-3.0-or-later
// Builtins of gfx942 that few kernels use. What is expected is worked out on the host from the manual's text.
#include "check.h"

#include <cstdint>
#include <cstdlib>

using U = std::uint32_t;
using U64 = std::uint64_t;
using Words4 = __attribute__((ext_vector_type(4))) U;
using Ints4 = __attribute__((ext_vector_type(4))) int;
using Halves2 = __attribute__((ext_vector_type(2))) _Float16;
#define LDS __attribute__((address_space(3)))

__device__ float bufferAdd(float value, Ints4 resource, int lane, int scalar, int cache) __asm("llvm.amdgcn.raw.buffer.atomic.fadd.f32");
__device__ Halves2 bufferAddPair(Halves2 value, Ints4 resource, int lane, int scalar, int cache) __asm("llvm.amdgcn.raw.buffer.atomic.fadd.v2f16");
__device__ int bufferMax(int value, Ints4 resource, int lane, int scalar, int cache) __asm("llvm.amdgcn.raw.buffer.atomic.smax.i32");

// Lanes below `active` take places in a list, then some give them back.
__global__ void counters(U* out, U active) {
    __shared__ int count;
    const U lane = threadIdx.x % 64;
    if (threadIdx.x == 0) {
        count = 100;
    }
    __syncthreads();
    U first = 0;
    if (lane < active) {
        first = __builtin_amdgcn_ds_append((LDS int*)&count);
    }
    __syncthreads();
    out[threadIdx.x * 3] = first;
    out[threadIdx.x * 3 + 1] = count;
    __syncthreads();
    U before = 0;
    if (lane % 4 == 1) {
        before = __builtin_amdgcn_ds_consume((LDS int*)&count);
    }
    __syncthreads();
    out[threadIdx.x * 3 + 2] = lane % 4 == 1 ? before : count;
}

__global__ void sums(const U64* a, const U* b, const U64* c, U64* out) {
    const int i = threadIdx.x;
    out[i * 4] = __builtin_amdgcn_qsad_pk_u16_u8(a[i], b[i], c[i]);
    out[i * 4 + 1] = __builtin_amdgcn_mqsad_pk_u16_u8(a[i], b[i], c[i]);
    const Words4 four = __builtin_amdgcn_mqsad_u32_u8(a[i], b[i], Words4{1, 2, 3, 4});
    out[i * 4 + 2] = U64{four[1]} << 32 | four[0];
    out[i * 4 + 3] = U64{four[3]} << 32 | four[2];
}

// The division that the compiler makes, step by step.
__global__ void divide(const float* a, const float* b, float* out) {
    const float x = a[threadIdx.x], y = b[threadIdx.x];
    bool flag, unused;
    const float denominator = __builtin_amdgcn_div_scalef(x, y, false, &unused);
    const float numerator = __builtin_amdgcn_div_scalef(x, y, true, &flag);
    const float guess = __builtin_amdgcn_rcpf(denominator);
    const float better = __builtin_fmaf(__builtin_fmaf(-denominator, guess, 1.f), guess, guess);
    const float quotient = numerator * better;
    const float rest = __builtin_fmaf(-denominator, quotient, numerator);
    out[threadIdx.x] = __builtin_amdgcn_div_fixupf(__builtin_amdgcn_div_fmasf(rest, better, quotient, flag), y, x);
}

__global__ void buffers(float* total, Halves2* pair, int* most, int count) {
    const auto resourceOf = [count](const void* base) {
        const auto address = reinterpret_cast<std::uint64_t>(base);
        return Ints4{static_cast<int>(address), static_cast<int>(address >> 32) & 0xffff, count * 4, 0x27000};
    };
    const int at = threadIdx.x % 4 * 4;
    bufferAdd(1.5f, resourceOf(total), at, 0, 0);
    bufferAddPair(Halves2{static_cast<_Float16>(1), static_cast<_Float16>(2)}, resourceOf(pair), at, 0, 0);
    bufferMax(static_cast<int>(threadIdx.x) - 200, resourceOf(most), at, 0, 0);
    const Ints4 resource = resourceOf(total);
    asm volatile("buffer_atomic_add_f32 %0, %1, %2, 0 offen" ::"v"(2.f), "v"(at), "s"(resource) : "memory");
}

int main() {
    Device<U> places(128 * 3);
    counters<<<1, 128>>>(places.get(), 40);
    const auto p = places.read();
    bool appended = true, counted = true, consumed = true;
    for (int wave = 0; wave < 2; ++wave) {
        const U first = p[wave * 64 * 3]; // of the wave that came first or second
        appended = appended && (first == 100 || first == 140) && first != p[(1 - wave) * 64 * 3];
        const U last = p[(wave * 64 + 1) * 3 + 2];
        consumed = consumed && (last == 180 || last == 164) && last != p[((1 - wave) * 64 + 1) * 3 + 2];
        for (int lane = 0; lane < 64; ++lane) {
            const U* mine = &p[(wave * 64 + lane) * 3];
            appended = appended && mine[0] == (lane < 40 ? first : 0);
            counted = counted && mine[1] == 180;
            consumed = consumed && mine[2] == (lane % 4 == 1 ? last : 148);
        }
    }
    expect("ds_append", appended);
    expect("ds_append counts", counted);
    expect("ds_consume", consumed);

    constexpr int n = 64;
    std::vector<U64> a(n), c(n);
    std::vector<U> b(n);
    U64 state = 88172645463325252ull;
    const auto next = [&] { return state ^= state << 13, state ^= state >> 7, state ^= state << 17; };
    for (int i = 0; i < n; ++i) {
        a[i] = next();
        b[i] = static_cast<U>(next()) & (i % 2 ? ~0u : 0xff00ff00u);
        c[i] = next() & 0x0fff0fff0fff0fff;
    }
    const Device<U64> da(a), dc(c);
    const Device<U> db(b);
    Device<U64> ds(n * 4);
    sums<<<1, n>>>(da.get(), db.get(), dc.get(), ds.get());
    const auto s = ds.read();
    bool plain = true, masked = true, words = true;
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < 4; ++k) {
            U all = 0, some = 0;
            for (int byte = 0; byte < 4; ++byte) {
                const int left = static_cast<int>(a[i] >> (8 * (k + byte)) & 0xff), right = static_cast<int>(b[i] >> (8 * byte) & 0xff);
                all += static_cast<U>(std::abs(left - right));
                some += right != 0 ? static_cast<U>(std::abs(left - right)) : 0;
            }
            const U start = static_cast<U>(c[i] >> (16 * k)) & 0xffff;
            plain = plain && (s[i * 4] >> (16 * k) & 0xffff) == start + all;
            masked = masked && (s[i * 4 + 1] >> (16 * k) & 0xffff) == start + some;
            words = words && static_cast<U>(s[i * 4 + 2 + k / 2] >> (32 * (k % 2))) == static_cast<U>(k) + 1 + some;
        }
    }
    expect("qsad", plain);
    expect("mqsad of 16 bits", masked);
    expect("mqsad of 32 bits", words);

    std::vector<float> x(n), y(n);
    for (int i = 0; i < n; ++i) {
        x[i] = static_cast<float>(static_cast<int>(next() % 20001) - 10000) / 7.f;
        y[i] = static_cast<float>(static_cast<int>(next() % 999) + 1) / 3.f;
    }
    const Device<float> dx(x), dy(y);
    Device<float> dq(n);
    divide<<<1, n>>>(dx.get(), dy.get(), dq.get());
    const auto q = dq.read();
    bool divided = true;
    for (int i = 0; i < n; ++i) {
        divided = divided && q[i] == x[i] / y[i];
    }
    expect("the steps of a division", divided);

    Device<float> total(4);
    Device<Halves2> pair(4);
    std::vector<int> start(4, -1000);
    Device<int> most(start);
    buffers<<<1, 256>>>(total.get(), pair.get(), most.get(), 3); // the fourth lies outside
    const auto t = total.read();
    const auto h = pair.read();
    const auto m = most.read();
    bool sums = true, pairs = true, maxima = true;
    for (int i = 0; i < 4; ++i) {
        sums = sums && t[i] == (i < 3 ? 64 * 3.5f : 0);
        pairs = pairs && static_cast<float>(h[i][0]) == (i < 3 ? 64 : 0) && static_cast<float>(h[i][1]) == (i < 3 ? 128 : 0);
        maxima = maxima && m[i] == (i < 3 ? 252 + i - 200 : -1000);
    }
    expect("buffer atomics of float", sums);
    expect("buffer atomics of two halves", pairs);
    expect("buffer atomics of integers", maxima);
    return verdict();
}
