// SPDX-License-Identifier: GPL-3.0-or-later
// Inline assembly that jumps to its own labels and switches lanes on and off. The same is worked out on the host,
// thread by thread.
#include "check.h"

#include <cstdint>

// x += 3 i for i = n .. 1, or nothing for n = 0.
__global__ void counts(std::uint32_t* x, std::uint32_t n) {
    std::uint32_t value = x[threadIdx.x];
    asm volatile("s_mov_b32 s20, %1\n"
                 "s_cmp_eq_u32 s20, 0\n"
                 "s_cbranch_scc1 2f\n"
                 "1:\n"
                 "  v_mul_lo_u32 v20, s20, 3\n"
                 "  v_add_u32 %0, %0, v20\n"
                 "  s_sub_u32 s20, s20, 1\n"
                 "  s_cmp_lg_u32 s20, 0\n"
                 "  s_cbranch_scc1 1b\n"
                 "2: ; behind it\n"
                 "  v_xor_b32 %0, 1, %0"
                 : "+v"(value)
                 : "s"(n)
                 : "s20", "v20", "scc");
    x[threadIdx.x] = value;
}

// Names of their own in each copy of a statement, and one loop in another.
template<int count>
__device__ std::uint32_t nested(std::uint32_t value, std::uint32_t rounds) {
    asm volatile("s_mov_b32 s20, %1\n"
                 "outer_%=: s_movk_i32 s21, %2\n"
                 "inner_%=:\n"
                 "  v_lshl_add_u32 %0, %0, 1, s21\n"
                 "  s_sub_i32 s21, s21, 1\n"
                 "  s_cmp_gt_i32 s21, 0\n"
                 "  s_cbranch_scc1 inner_%=\n"
                 "  s_add_u32 s20, s20, -1\n"
                 "  s_cmp_eq_u32 s20, 0\n"
                 "  s_cbranch_scc0 outer_%=\n"
                 "  s_branch .Lend%=\n"
                 "  v_mov_b32 %0, 0\n"
                 ".Lend%=:"
                 : "+v"(value)
                 : "s"(rounds), "i"(count)
                 : "s20", "s21", "scc");
    return value;
}
__global__ void nests(std::uint32_t* x, std::uint32_t rounds) {
    x[threadIdx.x] = nested<3>(x[threadIdx.x], rounds) ^ nested<5>(threadIdx.x, 2);
}

// Sums of the columns of a matrix so far, by loads and stores at offsets that move on.
__global__ void columns(const float* from, float* to, std::uint32_t rows) {
    std::uint32_t offset = threadIdx.x * 4;
    asm volatile("s_mov_b32 s20, %3\n"
                 "v_mov_b32 v30, 0\n"
                 "again%=:\n"
                 "global_load_dword v31, %0, %1\n"
                 "s_waitcnt vmcnt(0)\n"
                 "v_add_f32 v30, v30, v31\n"
                 "global_store_dword %0, v30, %2\n"
                 "v_add_u32 %0, %4, %0\n"
                 "s_sub_u32 s20, s20, 1\n"
                 "s_cmp_lg_u32 s20, 0\n"
                 "s_cbranch_scc1 again%="
                 : "+v"(offset)
                 : "s"(from), "s"(to), "s"(rows), "v"(blockDim.x * 4)
                 : "s20", "v30", "v31", "scc", "memory");
}

// The steps of the Collatz sequence from x: lanes leave the loop one after the other.
__global__ void steps(const std::uint32_t* x, std::uint32_t* count) {
    std::uint32_t value = x[threadIdx.x], n;
    asm volatile("v_mov_b32 %1, 0\n"
                 "v_cmp_ne_u32 vcc, 1, %0\n"
                 "s_and_saveexec_b64 s[20:21], vcc\n"
                 "s_cbranch_execz 2f\n"
                 "1:\n"
                 "  v_and_b32 v20, 1, %0\n"
                 "  v_cmp_eq_u32 vcc, 1, v20\n"
                 "  v_mul_lo_u32 v21, %0, 3\n"
                 "  v_add_u32 v21, 1, v21\n"
                 "  v_lshrrev_b32 v22, 1, %0\n"
                 "  v_cndmask_b32 %0, v22, v21, vcc\n"
                 "  v_add_u32 %1, 1, %1\n"
                 "  v_cmp_ne_u32 vcc, 1, %0\n"
                 "  s_and_b64 exec, exec, vcc\n"
                 "  s_cbranch_execnz 1b\n"
                 "2:\n"
                 "s_mov_b64 exec, s[20:21]"
                 : "+v"(value), "=&v"(n)
                 :
                 : "s20", "s21", "v20", "v21", "v22", "vcc", "scc", "exec");
    count[threadIdx.x] = n + 1000 * value;
}

// Two ways by exec: one adds to memory, the other to LDS; and v_cmpx, which leaves fewer on.
__global__ void twoWays(const std::int32_t* x, std::int32_t* out, std::int32_t* sum) {
    __shared__ std::int32_t below[2];
    const std::int32_t value = x[threadIdx.x];
    std::int32_t result = -7;
    if (threadIdx.x < 2) {
        below[threadIdx.x] = 0;
    }
    __syncthreads();
    const auto lds = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(&below[threadIdx.x / 64]));
    asm volatile("v_cmp_le_i32 vcc, 0, %1\n"
                 "s_and_saveexec_b64 s[22:23], vcc\n"
                 "v_mul_lo_u32 %0, %1, 2\n"
                 "global_atomic_add %2, %1, off\n"
                 "v_cmpx_lt_i32 vcc, 20, %1\n"
                 "v_add_u32 %0, 1, %0\n"
                 "s_mov_b64 exec, s[22:23]\n"
                 "v_cmp_gt_i32 s[24:25], 0, %1\n"
                 "s_andn2_b64 exec, exec, s[24:25]\n"
                 "s_xor_b64 exec, exec, s[22:23]\n"
                 "v_sub_u32 %0, 0, %1\n"
                 "ds_add_u32 %3, %0\n"
                 "s_or_b64 exec, exec, s[22:23]\n"
                 "s_waitcnt lgkmcnt(0) vmcnt(0)"
                 : "+v"(result)
                 : "v"(value), "v"(sum), "v"(lds)
                 : "s22", "s23", "s24", "s25", "vcc", "scc", "exec", "memory");
    out[threadIdx.x] = result;
    __syncthreads();
    if (threadIdx.x < 2) {
        sum[1 + threadIdx.x] = below[threadIdx.x];
    }
}

// By all lanes together: until none of them has a bit left.
__global__ void untilNone(std::uint32_t* x, std::uint32_t* rounds) {
    std::uint32_t value = x[threadIdx.x], n;
    asm volatile("s_mov_b32 %1, 0\n"
                 "1: v_cmp_ne_u32 vcc, 0, %0\n"
                 "s_cbranch_vccz 3f\n"
                 "v_lshrrev_b32 %0, 1, %0\n"
                 "s_add_u32 %1, %1, 1\n"
                 "s_branch 1b\n"
                 "3:"
                 : "+v"(value), "=&s"(n)
                 :
                 : "vcc", "scc");
    x[threadIdx.x] = value;
    rounds[threadIdx.x] = n;
}

// Halves of exec, read and written by themselves.
__global__ void halves(std::uint32_t* x) {
    std::uint32_t value = x[threadIdx.x], low, high;
    asm volatile("s_mov_b32 s20, exec_lo\n"
                 "s_mov_b32 s21, exec_hi\n"
                 "s_mov_b32 exec_lo, 0x0f0f0f0f\n"
                 "v_add_u32 %0, 1, %0\n"
                 "s_mov_b32 exec_hi, 0\n"
                 "v_add_u32 %0, 16, %0\n"
                 "s_not_b32 exec_hi, exec_hi\n"
                 "s_and_b32 exec_lo, exec_lo, 0xff\n"
                 "s_mov_b32 %1, exec_lo\n"
                 "v_mov_b32 v20, 0x100\n"
                 "v_add_u32 %0, v20, %0\n"
                 "s_bitset0_b32 exec_hi, 31\n"
                 "s_mov_b32 %2, exec_hi\n"
                 "v_add_u32 %0, v20, %0\n"
                 "s_mov_b64 exec, s[20:21]"
                 : "+v"(value), "=&s"(low), "=&s"(high)
                 :
                 : "s20", "s21", "v20", "scc", "exec");
    x[threadIdx.x] = value + (low == 0xf ? 0x10000 : 0) + (high == 0x7fffffff ? 0x20000 : 0);
}

// What goes by the first lane that is on, or takes no notice of which are.
__global__ void firstLanes(std::uint32_t* x, std::uint32_t from) {
    std::uint32_t value = x[threadIdx.x], first, none, which;
    asm volatile("v_cmp_le_u32 vcc, %4, %5\n"
                 "s_and_saveexec_b64 s[20:21], vcc\n"
                 "v_readfirstlane_b32 %1, %0\n"
                 "v_writelane_b32 %0, %1, 2\n" // which is off
                 "s_mov_b64 exec, 0\n"
                 "v_readfirstlane_b32 %2, %0\n"
                 "s_mov_b64 exec, s[20:21]\n"
                 "s_mov_b32 s22, 5\n"
                 "v_mov_b32 v20, s22\n"
                 "v_readfirstlane_b32 exec_lo, v20\n"
                 "v_mov_b32 %3, 0\n"
                 "s_mov_b64 exec, s[20:21]\n"
                 "s_mov_b64 s[24:25], 0xff\n"
                 "s_andn1_wrexec_b64 s[22:23], s[24:25]\n"
                 "v_mov_b32 %3, s22\n"
                 "s_mov_b64 exec, s[20:21]"
                 : "+v"(value), "=&s"(first), "=&s"(none), "=&v"(which)
                 : "s"(from), "v"(threadIdx.x % 64)
                 : "s20", "s21", "s22", "s23", "s24", "s25", "v20", "vcc", "scc", "exec");
    const bool isKnown = threadIdx.x % 64 == 0 || threadIdx.x % 64 == 2; // lanes that the first way wrote alone
    x[threadIdx.x] = value * 2 + first * 3 + none * 5 + (threadIdx.x % 64 < 8 ? (isKnown ? which : 0) : which);
}

// A product of matrices is of all lanes, whichever are on.
typedef float Floats __attribute__((ext_vector_type(4)));
__global__ void product(const float* a, const float* b, float* byAssembly, float* byBuiltin) {
    const float one = a[threadIdx.x], other = b[threadIdx.x];
    Floats sum = {1, 2, 3, 4};
    const Floats expected = __builtin_amdgcn_mfma_f32_16x16x4f32(one, other, sum, 0, 0, 0);
    asm volatile("s_mov_b64 s[20:21], exec\n"
                 "s_mov_b64 exec, 1\n"
                 "v_mfma_f32_16x16x4_f32 %0, %1, %2, %0\n"
                 "s_mov_b64 exec, s[20:21]"
                 : "+v"(sum)
                 : "v"(one), "v"(other)
                 : "s20", "s21", "exec");
    for (int i = 0; i < 4; ++i) {
        byAssembly[threadIdx.x * 4 + i] = sum[i];
        byBuiltin[threadIdx.x * 4 + i] = expected[i];
    }
}

int main() {
    constexpr int threads = 128;
    std::vector<std::uint32_t> start(threads);
    for (int i = 0; i < threads; ++i) {
        start[i] = static_cast<std::uint32_t>(i * 7919 % 97 + 1);
    }
    for (const std::uint32_t n : {0u, 1u, 9u}) {
        Device<std::uint32_t> x(start);
        counts<<<1, threads>>>(x.get(), n);
        std::vector<std::uint32_t> expected = start;
        for (std::uint32_t& one : expected) {
            one = (one + 3 * n * (n + 1) / 2) ^ 1;
        }
        expect("a loop that counts", x.read() == expected);
    }
    {
        Device<std::uint32_t> x(start);
        nests<<<1, threads>>>(x.get(), 4);
        std::vector<std::uint32_t> expected(threads);
        const auto once = [](std::uint32_t value, std::uint32_t rounds, int count) {
            for (std::uint32_t round = 0; round < rounds; ++round) {
                for (int i = count; i > 0; --i) {
                    value = value * 2 + static_cast<std::uint32_t>(i);
                }
            }
            return value;
        };
        for (int i = 0; i < threads; ++i) {
            expected[i] = once(start[i], 4, 3) ^ once(static_cast<std::uint32_t>(i), 2, 5);
        }
        expect("a loop in a loop", x.read() == expected);
    }
    {
        constexpr int rows = 6;
        std::vector<float> from(threads * rows);
        for (std::size_t i = 0; i < from.size(); ++i) {
            from[i] = static_cast<float>(i % 13);
        }
        Device<float> dFrom(from), to(from.size());
        columns<<<1, threads>>>(dFrom.get(), to.get(), rows);
        std::vector<float> sums = from;
        for (std::size_t i = threads; i < sums.size(); ++i) {
            sums[i] += sums[i - threads];
        }
        expect("a loop through memory", to.read() == sums);
    }
    {
        Device<std::uint32_t> x(start), count(threads);
        steps<<<1, threads>>>(x.get(), count.get());
        std::vector<std::uint32_t> expected(threads);
        for (int i = 0; i < threads; ++i) {
            expected[i] = 1000;
            for (std::uint32_t value = start[i]; value != 1; value = value % 2 ? 3 * value + 1 : value / 2) {
                ++expected[i];
            }
        }
        expect("lanes that leave a loop", count.read() == expected);
    }
    {
        std::vector<std::int32_t> x(threads);
        std::vector<std::int32_t> out(threads), sum(3);
        for (int i = 0; i < threads; ++i) {
            x[i] = i * 31 % 83 - 40;
            out[i] = x[i] < 0 ? -x[i] : 2 * x[i] + (x[i] > 20 ? 1 : 0);
            sum[x[i] < 0 ? 1 + i / 64 : 0] += x[i] < 0 ? -x[i] : x[i];
        }
        Device<std::int32_t> dx(x), dOut(threads), dSum(3);
        twoWays<<<1, threads>>>(dx.get(), dOut.get(), dSum.get());
        expect("two ways by exec", dOut.read() == out && dSum.read() == sum);
    }
    {
        Device<std::uint32_t> x(start), rounds(threads);
        untilNone<<<1, threads>>>(x.get(), rounds.get());
        std::vector<std::uint32_t> expected(threads);
        for (int i = 0; i < threads; ++i) {
            for (int lane = i / 64 * 64; lane < i / 64 * 64 + 64; ++lane) {
                std::uint32_t bits = 0;
                for (std::uint32_t value = start[lane]; value != 0; value /= 2) {
                    ++bits;
                }
                expected[i] = std::max(expected[i], bits);
            }
        }
        expect("until no lane is left", rounds.read() == expected && x.read() == std::vector<std::uint32_t>(threads));
    }
    {
        Device<std::uint32_t> x(start);
        halves<<<1, threads>>>(x.get());
        std::vector<std::uint32_t> expected = start;
        for (int i = 0; i < threads; ++i) {
            const int lane = i % 64;
            const bool isLow = lane < 32, isOn = isLow && (0x0f0f0f0fu >> lane & 1) != 0;
            expected[i] +=
                (isOn || !isLow ? 1 : 0) + (isOn ? 16 : 0) + (isLow ? 0 : 0x100) + (lane == 63 || isLow ? 0 : 0x100);
            expected[i] += isOn && lane < 8 ? 0x200 : 0;
            expected[i] += 0x30000;
        }
        expect("halves of exec", x.read() == expected);
    }
    for (const std::uint32_t from : {0u, 9u, 63u}) {
        Device<std::uint32_t> x(start);
        firstLanes<<<1, threads>>>(x.get(), from);
        std::vector<std::uint32_t> expected(threads);
        for (int i = 0; i < threads; ++i) {
            const int lane = i % 64, wave = i - lane;
            const std::uint32_t first = start[wave + from];
            const std::uint32_t value = lane == 2 ? first : start[i];
            const std::uint32_t which = lane < 8 ? 0 : 0xffffff00u; // none of the first 8 is written after the zero
            expected[i] = value * 2 + first * 3 + start[wave] * 5 + which;
        }
        expect("the first lane that is on", x.read() == expected);
    }
    {
        std::vector<float> a(64), b(64);
        for (int i = 0; i < 64; ++i) {
            a[i] = static_cast<float>(i % 7 - 3);
            b[i] = static_cast<float>(i * 5 % 11 - 4);
        }
        Device<float> da(a), db(b), one(256), other(256);
        product<<<1, 64>>>(da.get(), db.get(), one.get(), other.get());
        const std::vector<float> got = one.read();
        expect("a product of all lanes", got == other.read() && got[17] != 0);
    }
    return verdict();
}
