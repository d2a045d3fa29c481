// SPDX-License-Identifier: GPL-3.0-or-later
// Inline assembly that reads and writes memory: global, through a buffer resource, LDS. The host says what is to come
// out; offsets are constants, parameters of inlined functions and counters of unrolled loops.
#include "check.h"

#include <cstdint>
#include <cstring>

using U = std::uint32_t;
using Words2 = __attribute__((ext_vector_type(2))) U;
using Words4 = __attribute__((ext_vector_type(4))) U;

constexpr int Lanes = 64;

__device__ __forceinline__ void waitFor(int count) {
    asm volatile("s_waitcnt vmcnt(%0) lgkmcnt(%0)" ::"n"(count) : "memory");
}

// Sixteen words for each lane: copied, moved, and parts of them.
__global__ void global(const U* x, U* y, unsigned char* bytes, float* sum, U* count) {
    const int lane = threadIdx.x;
    Words4 four;
    Words2 two;
    U one, part, other = 0xabcd0000;
    asm volatile("global_load_dwordx4 %0, %1, off" : "=v"(four) : "v"(x + lane * 16) : "memory");
    asm volatile("global_load_dwordx2 %0, %1, %2 offset:16" : "=v"(two) : "v"(lane * 64), "s"(x) : "memory");
    asm volatile("flat_load_dword %0, %1 offset:24" : "=v"(one) : "v"(x + lane * 16) : "memory");
    asm volatile("global_load_sbyte %0, %1, off offset:28 sc0 sc1" : "=v"(part) : "v"(x + lane * 16) : "memory");
    asm volatile("global_load_short_d16 %0, %1, off offset:34" : "+v"(other) : "v"(x + lane * 16) : "memory");
    waitFor(0);
    asm volatile("global_store_dwordx4 %0, %1, off nt" ::"v"(y + lane * 16), "v"(four) : "memory");
    asm volatile("global_store_dwordx2 %0, %1, %2 offset:16" ::"v"(lane * 64), "v"(two), "s"(y) : "memory");
    asm volatile("flat_store_dword %0, %1 offset:24" ::"v"(y + lane * 16), "v"(one) : "memory");
    asm volatile("global_store_dword %0, %1, off offset:28" ::"v"(y + lane * 16), "v"(part) : "memory");
    asm volatile("global_store_dword %0, %1, off offset:-4" ::"v"(y + lane * 16 + 9), "v"(other) : "memory");
    asm volatile("global_store_byte %0, %1, off\n global_store_byte_d16_hi %0, %1, off offset:1" ::"v"(bytes + 2 * lane), "v"(one) : "memory");
    asm volatile("global_atomic_add_f32 %0, %1, off" ::"v"(sum), "v"(static_cast<float>(lane)) : "memory");
    U before;
    asm volatile("global_atomic_add %0, %1, %2, off sc0\n s_waitcnt vmcnt(0)" : "=v"(before) : "v"(count), "v"(U{1}) : "memory");
    asm volatile("global_atomic_umax %0, %1, off" ::"v"(count + 1), "v"(before) : "memory");
}

// The resource covers half of the lanes: beyond it reads are 0 and nothing is written.
__device__ __forceinline__ Words4 loadFour(Words4 resource, int lane, int scalar, int offset) {
    Words4 result;
    asm volatile("buffer_load_dwordx4 %0, %1, %2, %3 offen offset:%4" : "=v"(result) : "v"(lane), "s"(resource), "s"(scalar), "n"(offset) : "memory");
    return result;
}
__global__ void buffer(const U* x, U* y, int bytes) {
    const auto resourceOf = [bytes](const void* base) {
        const auto address = reinterpret_cast<std::uint64_t>(base);
        return Words4{static_cast<U>(address), static_cast<U>(address >> 32) & 0xffff, static_cast<U>(bytes), 0x27000};
    };
    const Words4 from = resourceOf(x), to = resourceOf(y);
    const int at = threadIdx.x * 32;
    const Words4 first = loadFour(from, at, 0, 0);
    const Words4 second = loadFour(from, at - 16, 16, 16);
    waitFor(0);
    asm volatile("buffer_store_dwordx4 %0, %1, %2, 0 offen" ::"v"(second), "v"(at), "s"(to) : "memory");
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        asm volatile("buffer_store_dword %0, %1, %2, 0 offen offset:%3" ::"v"(first[i]), "v"(at), "s"(to), "n"(16 + i * 4) : "memory");
    }
}

// A row of LDS is turned round through pairs, and words come straight from memory.
__global__ void local(const U* x, U* y, U* sums) {
    __shared__ U tile[Lanes * 8];
    __shared__ U copied[Lanes];
    __shared__ U total[2];
    const int lane = threadIdx.x;
    if (lane < 2) {
        total[lane] = lane * 1000;
    }
    const U here = static_cast<U>(reinterpret_cast<std::uintptr_t>(&tile[lane * 8])); // of a generic pointer: the offset is in it
    const auto there = (__attribute__((address_space(3))) U*)&tile[(Lanes - 1 - lane) * 8];
    const auto at = (__attribute__((address_space(3))) U*)&total[0];
    const Words4 low = {x[lane * 8], x[lane * 8 + 1], x[lane * 8 + 2], x[lane * 8 + 3]};
    const Words2 next = {x[lane * 8 + 4], x[lane * 8 + 5]};
    asm volatile("ds_write_b128 %0, %1" ::"v"(here), "v"(low) : "memory");
    asm volatile("ds_write_b64 %0, %1 offset:%2" ::"v"(here), "v"(next), "n"(16) : "memory");
    asm volatile("ds_write2_b32 %0, %1, %2 offset0:6 offset1:7" ::"v"(here), "v"(x[lane * 8 + 6]), "v"(x[lane * 8 + 7]) : "memory");
    waitFor(0);
    __syncthreads();
    Words4 first, last;
    U byte;
    asm volatile("ds_read_b128 %0, %1" : "=v"(first) : "v"(there) : "memory");
    asm volatile("ds_read2_b64 %0, %1 offset0:2 offset1:3" : "=v"(last) : "v"(there) : "memory");
    asm volatile("ds_read_u8 %0, %1 offset:5" : "=v"(byte) : "v"(there) : "memory");
    asm volatile("ds_add_u32 %0, %1" ::"v"(at), "v"(lane) : "memory");
    U before;
    asm volatile("ds_max_rtn_u32 %0, %1, %2 offset:4\n s_waitcnt lgkmcnt(0)" : "=v"(before) : "v"(at), "v"(lane) : "memory");
    // Each lane's word goes behind the one before, from where m0 says.
    const U m0 = static_cast<U>(reinterpret_cast<std::uintptr_t>(&copied[0]));
    asm volatile("s_mov_b32 m0, %0" ::"s"(m0) : "memory");
    asm volatile("global_load_lds_dword %0, off\n s_waitcnt vmcnt(0)" ::"v"(x + lane * 8) : "memory");
    __syncthreads();
    for (int i = 0; i < 4; ++i) {
        y[lane * 8 + i] = first[i];
        y[lane * 8 + 4 + i] = last[i];
    }
    sums[lane] = byte;
    sums[Lanes + lane] = before;
    sums[2 * Lanes + lane] = copied[lane];
    if (lane < 2) {
        sums[3 * Lanes + lane] = total[lane];
    }
}

__global__ void scalar(const U* x, U* y) {
    Words4 four;
    U one;
    asm volatile("s_load_dwordx4 %0, %2, 0x10\n s_load_dword %1, %2, 0x4\n s_waitcnt lgkmcnt(0)" : "=&s"(four), "=&s"(one) : "s"(x));
    if (threadIdx.x == 0) {
        y[0] = one;
        for (int i = 0; i < 4; ++i) {
            y[1 + i] = four[i];
        }
    }
}

int main() {
    std::vector<U> x(Lanes * 16);
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = static_cast<U>(i * 2654435761u + 17);
    }
    const Device<U> dx(x);
    Device<U> dy(Lanes * 16), count(2);
    Device<unsigned char> bytes(2 * Lanes);
    Device<float> sum(1);
    global<<<1, Lanes>>>(dx.get(), dy.get(), bytes.get(), sum.get(), count.get());
    auto y = dy.read();
    const auto b = bytes.read();
    bool copied = true, parts = true, stored = true;
    for (int lane = 0; lane < Lanes; ++lane) {
        const U* from = &x[lane * 16];
        const U* to = &y[lane * 16];
        copied = copied && std::memcmp(from, to, 28) == 0;
        parts = parts && to[7] == static_cast<U>(static_cast<int>(static_cast<signed char>(from[7]))) && to[8] == (0xabcd0000 | from[8] >> 16);
        stored = stored && b[2 * lane] == (from[6] & 0xff) && b[2 * lane + 1] == (from[6] >> 16 & 0xff);
    }
    expect("words of global memory", copied);
    expect("bytes and halves loaded", parts);
    expect("bytes stored", stored);
    expect("global atomics", sum.read()[0] == 2016.f && count.read()[0] == 64 && count.read()[1] == 63);

    Device<U> db(Lanes * 8);
    buffer<<<1, Lanes>>>(dx.get(), db.get(), Lanes / 2 * 32);
    y = db.read();
    bool inside = true, outside = true;
    for (int lane = 0; lane < Lanes; ++lane) {
        for (int i = 0; i < 8; ++i) {
            const U found = y[lane * 8 + i];
            inside = inside && (lane >= Lanes / 2 || found == x[lane * 8 + (i + 4) % 8]);
            outside = outside && (lane < Lanes / 2 || found == 0);
        }
    }
    expect("buffer inside its range", inside);
    expect("buffer outside its range", outside);

    Device<U> dl(Lanes * 8), sums(3 * Lanes + 2);
    local<<<1, Lanes>>>(dx.get(), dl.get(), sums.get());
    y = dl.read();
    const auto s = sums.read();
    bool turned = true, byte = true, straight = true, atomics = s[3 * Lanes] == 2016 && s[3 * Lanes + 1] == 1000;
    for (int lane = 0; lane < Lanes; ++lane) {
        const U* from = &x[(Lanes - 1 - lane) * 8];
        turned = turned && std::memcmp(from, &y[lane * 8], 32) == 0;
        byte = byte && s[lane] == (from[1] >> 8 & 0xff);
        atomics = atomics && s[Lanes + lane] == 1000;
        straight = straight && s[2 * Lanes + lane] == x[lane * 8];
    }
    expect("words of LDS", turned);
    expect("bytes of LDS", byte);
    expect("atomics of LDS", atomics);
    expect("from memory to LDS behind m0", straight);

    Device<U> ds(5);
    scalar<<<1, Lanes>>>(dx.get(), ds.get());
    y = ds.read();
    expect("scalar loads", y[0] == x[1] && std::memcmp(&y[1], &x[4], 16) == 0);
    return verdict();
}
