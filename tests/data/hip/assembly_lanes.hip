// SPDX-License-Identifier: GPL-3.0-or-later
// Inline assembly across lanes and of matrix instructions, and what it says about the wave. Every expectation is worked
// out on the host from the manual's text.
#include "check.h"

#include <cstdint>
#include <cstring>

using Floats4 = __attribute__((ext_vector_type(4))) float;
using Floats16 = __attribute__((ext_vector_type(16))) float;
using Halves4 = __attribute__((ext_vector_type(4))) _Float16;
using Shorts4 = __attribute__((ext_vector_type(4))) short;

__global__ void lanes(std::uint32_t* out) {
    const std::uint32_t lane = threadIdx.x;
    const std::uint32_t value = lane * 3 + 7;
    std::uint32_t r[12];
    asm volatile("v_mov_b32_dpp %0, %1 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0" : "=v"(r[0]) : "v"(value));
    asm volatile("v_mov_b32 %0, %1 quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf" : "=v"(r[1]) : "v"(value));
    r[2] = 1000;
    asm volatile("s_nop 1\n v_mov_b32_dpp %0, %1 row_bcast:15 row_mask:0xa bank_mask:0xf" : "+v"(r[2]) : "v"(value));
    r[3] = lane;
    asm volatile("v_add_u32_dpp %0, %1, %1 row_ror:4 row_mask:0xf bank_mask:0x3" : "+v"(r[3]) : "v"(value));
    asm volatile("v_readfirstlane_b32 %0, %1" : "=s"(r[4]) : "v"(value));
    asm volatile("v_readlane_b32 %0, %1, 9" : "=s"(r[5]) : "v"(value));
    asm volatile("ds_bpermute_b32 %0, %1, %2\n s_waitcnt lgkmcnt(0)" : "=v"(r[6]) : "v"((lane ^ 5) * 4), "v"(value));
    asm volatile("ds_swizzle_b32 %0, %1 offset:swizzle(SWAP,16)\n s_waitcnt lgkmcnt(0)" : "=v"(r[7]) : "v"(value));
    asm volatile("v_mbcnt_lo_u32_b32 %0, -1, 0\n v_mbcnt_hi_u32_b32 %0, -1, %0" : "=v"(r[8]));
    std::uint64_t mask;
    asm volatile("v_cmp_gt_u32 %0, %1, 40" : "=s"(mask) : "v"(lane));
    r[9] = static_cast<std::uint32_t>(__builtin_popcountll(mask));
    asm volatile("v_cmp_lt_u32 vcc, %1, %2\n v_cndmask_b32 %0, %1, %2, vcc" : "=v"(r[10]) : "v"(lane), "v"(63 - lane) : "vcc");
    std::uint64_t before, after;
    asm volatile("s_memtime %0\n s_waitcnt lgkmcnt(0)" : "=s"(before)::"memory");
    asm volatile("s_memrealtime %0\n s_waitcnt lgkmcnt(0)" : "=s"(after)::"memory");
    r[11] = before != 0 && after >= before ? 1 : 0;
    for (int i = 0; i < 12; ++i) {
        out[lane * 12 + i] = r[i];
    }
}

__global__ void permute(std::uint32_t* out) {
    const std::uint32_t lane = threadIdx.x;
    std::uint32_t sent, first = lane, second = lane + 100;
    asm volatile("ds_permute_b32 %0, %1, %2\n s_waitcnt lgkmcnt(0)" : "=v"(sent) : "v"((63 - lane) * 4), "v"(lane + 5));
    asm volatile("v_swap_b32 %0, %1" : "+v"(first), "+v"(second));
    out[lane * 3] = sent;
    out[lane * 3 + 1] = first;
    out[lane * 3 + 2] = second;
}

// c = a b + c of one wave, with the layout of the manual: lane l has row or column l % 16, and k = 4 (l / 16) + i.
__global__ void multiply(const _Float16* a, const _Float16* b, const float* c, float* d) {
    const int lane = threadIdx.x, inner = lane % 16, outer = lane / 16;
    Halves4 x, y;
    Floats4 sum, other, zero;
    for (int i = 0; i < 4; ++i) {
        x[i] = a[inner * 16 + outer * 4 + i];
        y[i] = b[(outer * 4 + i) * 16 + inner];
        sum[i] = c[(outer * 4 + i) * 16 + inner];
    }
    asm volatile("v_mfma_f32_16x16x16f16 %0, %1, %2, %0\n s_nop 7" : "+v"(sum) : "v"(x), "v"(y));
    asm volatile("v_mfma_f32_16x16x16_f16 %0, %1, %2, %3" : "=a"(other) : "v"(x), "v"(y), "a"(sum));
    asm volatile("v_mfma_f32_16x16x16_f16 %0, %1, %2, 0" : "=v"(zero) : "v"(x), "a"(y));
    for (int i = 0; i < 4; ++i) {
        const int at = (outer * 4 + i) * 16 + inner;
        d[at] = sum[i];
        d[256 + at] = other[i];
        d[512 + at] = zero[i];
    }
}

__global__ void multiplyBytes(const std::uint64_t* a, const std::uint64_t* b, float* d) {
    const int lane = threadIdx.x;
    Floats16 sum = {};
    asm volatile("v_mfma_f32_32x32x16_fp8_fp8 %0, %1, %2, %0" : "+v"(sum) : "v"(a[lane]), "v"(b[lane]));
    for (int i = 0; i < 16; ++i) {
        d[((i / 4) * 8 + lane / 32 * 4 + i % 4) * 32 + lane % 32] = sum[i];
    }
}

// Bits of HW_REG_HW_ID: a wave's slot on its SIMD, the SIMD, the compute unit.
__global__ void machine(std::uint32_t* out) {
    std::uint32_t slot, simd, unit, die;
    asm volatile("s_getreg_b32 %0, hwreg(HW_REG_HW_ID, 0, 4)" : "=s"(slot));
    asm volatile("s_getreg_b32 %0, hwreg(HW_REG_HW_ID, 4, 2)" : "=s"(simd));
    asm volatile("s_getreg_b32 %0, hwreg(HW_REG_HW_ID, 8, 4)" : "=s"(unit));
    asm volatile("s_getreg_b32 %0, hwreg(HW_REG_XCC_ID, 0, 4)" : "=s"(die));
    const std::uint32_t rounding = __builtin_amdgcn_s_getreg(3 << 11 | 0 << 6 | 1); // 4 bits of HW_REG_MODE
    const std::uint32_t denormals = __builtin_amdgcn_s_getreg(3 << 11 | 4 << 6 | 1);
    out[(blockIdx.x + gridDim.x * blockIdx.y) * blockDim.x + threadIdx.x] = slot | simd << 4 | unit << 8 | die << 12 | rounding << 16 | denormals << 20;
}

int main() {
    Device<std::uint32_t> out(64 * 12);
    lanes<<<1, 64>>>(out.get());
    const auto r = out.read();
    bool right[12];
    for (bool& one : right) {
        one = true;
    }
    const auto value = [](std::uint32_t lane) { return lane * 3 + 7; };
    for (std::uint32_t lane = 0; lane < 64; ++lane) {
        const std::uint32_t* mine = &r[lane * 12];
        right[0] = right[0] && mine[0] == (lane % 16 == 0 ? 0 : value(lane - 1));
        right[1] = right[1] && mine[1] == value(lane ^ 3);
        const bool isThere = lane / 16 == 1 || lane / 16 == 3;
        right[2] = right[2] && mine[2] == (isThere ? value(lane / 16 * 16 - 1) : 1000);
        const std::uint32_t turned = lane / 16 * 16 + (lane % 16 + 12) % 16;
        right[3] = right[3] && mine[3] == (lane % 16 < 8 ? value(turned) + value(lane) : lane);
        right[4] = right[4] && mine[4] == 7;
        right[5] = right[5] && mine[5] == 34;
        right[6] = right[6] && mine[6] == value(lane ^ 5);
        right[7] = right[7] && mine[7] == value(lane ^ 16);
        right[8] = right[8] && mine[8] == lane;
        right[9] = right[9] && mine[9] == 23;
        right[10] = right[10] && mine[10] == (lane < 63 - lane ? 63 - lane : lane);
        right[11] = right[11] && mine[11] == 1;
    }
    const char* names[12] = {"row_shr of a move", "quad_perm of a move", "row_bcast with a row mask", "row_ror of a sum, banks left out", "v_readfirstlane", "v_readlane", "ds_bpermute", "ds_swizzle", "v_mbcnt", "v_cmp to a mask", "v_cmp and v_cndmask", "s_memtime and s_memrealtime"};
    for (int i = 0; i < 12; ++i) {
        expect(names[i], right[i]);
    }

    Device<std::uint32_t> moved(64 * 3);
    permute<<<1, 64>>>(moved.get());
    const auto m = moved.read();
    bool sent = true, swapped = true;
    for (std::uint32_t lane = 0; lane < 64; ++lane) {
        sent = sent && m[lane * 3] == 63 - lane + 5;
        swapped = swapped && m[lane * 3 + 1] == lane + 100 && m[lane * 3 + 2] == lane;
    }
    expect("ds_permute", sent);
    expect("v_swap", swapped);

    std::vector<_Float16> a(256), b(256);
    std::vector<float> c(256);
    for (int i = 0; i < 256; ++i) {
        a[i] = static_cast<_Float16>(i * 7 % 11 - 5);
        b[i] = static_cast<_Float16>(i * 5 % 13 - 6);
        c[i] = static_cast<float>(i % 9);
    }
    Device<_Float16> da(a), db(b);
    Device<float> dc(c), dd(768);
    multiply<<<1, 64>>>(da.get(), db.get(), dc.get(), dd.get());
    const auto d = dd.read();
    bool once = true, twice = true, zero = true;
    for (int row = 0; row < 16; ++row) {
        for (int column = 0; column < 16; ++column) {
            float sum = 0;
            for (int k = 0; k < 16; ++k) {
                sum += static_cast<float>(a[row * 16 + k]) * static_cast<float>(b[k * 16 + column]);
            }
            const int at = row * 16 + column;
            once = once && d[at] == c[at] + sum;
            twice = twice && d[256 + at] == c[at] + 2 * sum;
            zero = zero && d[512 + at] == sum;
        }
    }
    expect("v_mfma with its sum in place", once);
    expect("v_mfma into accumulators", twice);
    expect("v_mfma without a sum", zero);

    // fp8 as bytes: 0x40 is 1 and 0x48 is 2 in e4m3fnuz, 0 is 0. a is a permutation matrix of 32 rows, b counts.
    const unsigned char codes[4] = {0x00, 0x40, 0x48, 0x4c}; // 0, 1, 2, 3
    std::vector<std::uint64_t> bytesA(64), bytesB(64);
    const auto elementA = [](int row, int k) { return (row * 3 + k) % 4; };
    const auto elementB = [](int k, int column) { return (k * 5 + column) % 3; };
    for (int lane = 0; lane < 64; ++lane) {
        for (int i = 0; i < 8; ++i) {
            const int k = lane / 32 * 8 + i;
            bytesA[lane] |= std::uint64_t{codes[elementA(lane % 32, k)]} << (8 * i);
            bytesB[lane] |= std::uint64_t{codes[elementB(k, lane % 32)]} << (8 * i);
        }
    }
    Device<std::uint64_t> ba(bytesA), bb(bytesB);
    Device<float> product(32 * 32);
    multiplyBytes<<<1, 64>>>(ba.get(), bb.get(), product.get());
    const auto p = product.read();
    bool bytes = true;
    for (int row = 0; row < 32; ++row) {
        for (int column = 0; column < 32; ++column) {
            int sum = 0;
            for (int k = 0; k < 16; ++k) {
                sum += elementA(row, k) * elementB(k, column);
            }
            bytes = bytes && p[row * 32 + column] == static_cast<float>(sum);
        }
    }
    expect("v_mfma of fp8", bytes);

    constexpr std::uint32_t blocks = 20;
    Device<std::uint32_t> places(blocks * 1024);
    machine<<<dim3(5, 4), 1024>>>(places.get());
    const auto place = places.read();
    bool isPlace = true;
    for (std::uint32_t thread = 0; thread < blocks * 1024; ++thread) {
        const std::uint32_t wave = thread % 1024 / 64, die = thread / 1024 % 8;
        isPlace = isPlace && place[thread] >> 16 == 0xf0 && (place[thread] & 0x3f) == ((wave % 4) << 4 | wave / 4) &&
                  (place[thread] & 0xff00) == die << 12; // a block is on one compute unit
    }
    expect("s_getreg_b32", isPlace);
    return verdict();
}
