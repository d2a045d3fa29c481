// SPDX-License-Identifier: GPL-3.0-or-later
// Inline assembly that computes in one lane. Each row has the text and, for the host, what the manual says it gives.
#include "check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

using U = std::uint32_t;
using S = std::int32_t;
using U64 = std::uint64_t;
using S64 = std::int64_t;
using Floats2 = __attribute__((ext_vector_type(2))) float;

template<class To, class From>
__host__ __device__ To as(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    __builtin_memcpy(&to, &from, sizeof(to));
    return to;
}
U bits(float x) {
    return as<U>(x);
}
U half(float x) {
    return as<std::uint16_t>(static_cast<_Float16>(x));
}
float ofHalf(U word, int which) {
    return static_cast<float>(as<_Float16>(static_cast<std::uint16_t>(word >> (16 * which))));
}
S low24(U x) {
    return static_cast<S>(x << 8) >> 8;
}
U reversedBits(U x) {
    U r = 0;
    for (int i = 0; i < 32; ++i) {
        r |= (x >> i & 1) << (31 - i);
    }
    return r;
}
U permuted(U a, U b, U selector) {
    const U64 both = U64{a} << 32 | b;
    U r = 0;
    for (int i = 0; i < 4; ++i) {
        const U s = selector >> (8 * i) & 0xff;
        const U byte = s < 8     ? both >> (8 * s) & 0xff
                       : s < 12  ? (both >> (16 * (s - 8) + 15) & 1) * 0xff
                       : s == 12 ? 0
                                 : 0xff;
        r |= byte << (8 * i);
    }
    return r;
}
U middle(U a, U b, U c) {
    return a > b ? (b > c ? b : a > c ? c : a) : (a > c ? a : b > c ? c : b);
}
int saturated(float x) {
    return x != x ? 0 : x <= -2147483648.f ? -2147483647 - 1 : x >= 2147483648.f ? 2147483647 : static_cast<int>(x);
}

// %0 is the result, %1 to %3 are a, b and c.
#define INTEGER_ROWS(ROW)                                                                                              \
    ROW("v_mov_b32 %0, %1", a)                                                                                         \
    ROW("v_add_u32 %0, %1, %2", a + b)                                                                                 \
    ROW("v_sub_u32_e64 %0, %1, %2", a - b)                                                                             \
    ROW("v_subrev_u32 %0, %1, %2", b - a)                                                                              \
    ROW("v_add_u32 %0, 0x12345, %2", 0x12345 + b)                                                                      \
    ROW("v_sub_u32 %0, -16, %2", U(-16) - b)                                                                           \
    ROW("v_mul_lo_u32 %0, %1, %2", a* b)                                                                               \
    ROW("v_mul_hi_u32 %0, %1, %2", U(U64{a} * b >> 32))                                                                \
    ROW("v_mul_hi_i32 %0, %1, %2", U(S64{S(a)} * S(b) >> 32))                                                          \
    ROW("v_mul_u32_u24 %0, %1, %2", (a & 0xffffff) * (b & 0xffffff))                                                   \
    ROW("v_mul_i32_i24 %0, %1, %2", U(low24(a)) * U(low24(b)))                                                         \
    ROW("v_mad_u32_u24 %0, %1, %2, %3", (a & 0xffffff) * (b & 0xffffff) + c)                                           \
    ROW("v_mad_i32_i24 %0, %1, %2, %3", U(low24(a)) * U(low24(b)) + c)                                                 \
    ROW("v_add3_u32 %0, %1, %2, %3", a + b + c)                                                                        \
    ROW("v_lshl_add_u32 %0, %1, %2, %3", (a << (b & 31)) + c)                                                          \
    ROW("v_add_lshl_u32 %0, %1, %2, %3", (a + b) << (c & 31))                                                          \
    ROW("v_lshl_or_b32 %0, %1, %2, %3", (a << (b & 31)) | c)                                                           \
    ROW("v_and_or_b32 %0, %1, %2, %3", (a & b) | c)                                                                    \
    ROW("v_or3_b32 %0, %1, %2, %3", a | b | c)                                                                         \
    ROW("v_xad_u32 %0, %1, %2, %3", (a ^ b) + c)                                                                       \
    ROW("v_and_b32 %0, %1, %2", a& b)                                                                                  \
    ROW("v_or_b32 %0, %1, %2", a | b)                                                                                  \
    ROW("v_xor_b32 %0, %1, %2", a ^ b)                                                                                 \
    ROW("v_xnor_b32 %0, %1, %2", ~(a ^ b))                                                                             \
    ROW("v_not_b32 %0, %1", ~a)                                                                                        \
    ROW("v_lshlrev_b32 %0, %1, %2", b << (a & 31))                                                                     \
    ROW("v_lshrrev_b32 %0, 3, %2", b >> 3)                                                                             \
    ROW("v_ashrrev_i32 %0, %1, %2", U(S(b) >> (a & 31)))                                                               \
    ROW("v_bfe_u32 %0, %1, 4, 9", a >> 4 & 0x1ff)                                                                      \
    ROW("v_bfe_i32 %0, %1, 4, 9", U(S(a << 19) >> 23))                                                                 \
    ROW("v_bfe_i32 %0, %1, 28, 9", U(S(a) >> 28))                                                                      \
    ROW("v_bfi_b32 %0, %1, %2, %3", (a & b) | (~a & c))                                                                \
    ROW("v_bfm_b32 %0, %1, %2", ((U{1} << (a & 31)) - 1) << (b & 31))                                                  \
    ROW("v_bfrev_b32 %0, %1", reversedBits(a))                                                                         \
    ROW("v_bcnt_u32_b32 %0, %1, %2", U(__builtin_popcount(a)) + b)                                                     \
    ROW("v_ffbh_u32 %0, %1", a == 0 ? ~U{0} : U(__builtin_clz(a)))                                                     \
    ROW("v_ffbl_b32 %0, %1", a == 0 ? ~U{0} : U(__builtin_ctz(a)))                                                     \
    ROW("v_min_i32 %0, %1, %2", U(S(a) < S(b) ? S(a) : S(b)))                                                          \
    ROW("v_max_i32 %0, %1, %2", U(S(a) < S(b) ? S(b) : S(a)))                                                          \
    ROW("v_min_u32 %0, %1, %2", a < b ? a : b)                                                                         \
    ROW("v_max_u32 %0, %1, %2", a < b ? b : a)                                                                         \
    ROW("v_max3_u32 %0, %1, %2, %3", a > b ? (a > c ? a : c) : (b > c ? b : c))                                        \
    ROW("v_min3_u32 %0, %1, %2, %3", a < b ? (a < c ? a : c) : (b < c ? b : c))                                        \
    ROW("v_med3_u32 %0, %1, %2, %3", middle(a, b, c))                                                                  \
    ROW("v_med3_i32 %0, %1, %2, %3", middle(a ^ 0x80000000, b ^ 0x80000000, c ^ 0x80000000) ^ 0x80000000)              \
    ROW("v_perm_b32 %0, %1, %2, %3", permuted(a, b, c))                                                                \
    ROW("v_alignbit_b32 %0, %1, %2, %3", U((U64{a} << 32 | b) >> (c & 31)))                                            \
    ROW("v_alignbyte_b32 %0, %1, %2, %3", U((U64{a} << 32 | b) >> (8 * (c & 3))))                                      \
    ROW("v_add_u32 %0, %1, %2 clamp", a + b < a ? ~U{0} : a + b)                                                       \
    ROW("v_sub_u32 %0, %1, %2 clamp", a < b ? 0 : a - b)                                                               \
    ROW("v_add_i32 %0, %1, %2 clamp", U(clampedTo32(S64{S(a)} + S(b))))                                                \
    ROW("v_pk_add_u16 %0, %1, %2 clamp",                                                                               \
        std::min((a & 0xffff) + (b & 0xffff), 0xffffu) | std::min((a >> 16) + (b >> 16), 0xffffu) << 16)               \
    ROW("v_pk_sub_i16 %0, %1, %2 clamp",                                                                               \
        U(std::uint16_t(clampTo16(low16(a) - low16(b)))) | U(clampTo16(low16(a >> 16) - low16(b >> 16))) << 16)        \
    ROW("v_mov_b32 %0, %3\n v_add_i16 %0, %1, %2", (c & 0xffff0000) | ((a + b) & 0xffff))                              \
    ROW("v_mov_b32 %0, %3\n v_mad_u16 %0, %1, %2, %3 op_sel:[0,0,0,1]", (c & 0xffff) | (a * b + c) << 16)              \
    ROW("v_mad_u32_u16 %0, %1, %2, %3", (a & 0xffff) * (b & 0xffff) + c)                                               \
    ROW("v_mad_i32_i16 %0, %1, %2, %3 op_sel:[1,0,0,0]", U(low16(a >> 16) * low16(b)) + c)                             \
    ROW("v_mov_b32 %0, 0\n v_med3_i16 %0, %1, %2, %3",                                                                 \
        U(std::uint16_t(std::max(std::min(low16(a), low16(b)), std::min(std::max(low16(a), low16(b)), low16(c))))))    \
    ROW("v_mov_b32 %0, 0\n v_min3_u16 %0, %1, %2, %3", std::min({a & 0xffff, b & 0xffff, c & 0xffff}))                 \
    ROW("v_sat_pk_u8_i16 %0, %1", U(std::clamp(low16(a), 0, 255)) | U(std::clamp(low16(a >> 16), 0, 255)) << 8)        \
    ROW("v_sad_u32 %0, %1, %2, %3", (a > b ? a - b : b - a) + c)                                                       \
    ROW("v_sad_hi_u8 %0, %1, %2, %3", (differenceOfBytes(a, b) << 16) + c)                                             \
    ROW("v_msad_u8 %0, %1, %2, %3", c + maskedDifferenceOfBytes(a, b))                                                 \
    ROW("v_mov_b32 %0, %3\n v_dot4c_i32_i8 %0, %1, %2", c + dotOfBytes(a, b))                                          \
    ROW("v_mov_b32 %0, %3\n v_dot2c_i32_i16 %0, %1, %2",                                                               \
        c + U(low16(a)) * U(low16(b)) + U(low16(a >> 16)) * U(low16(b >> 16)))                                         \
    ROW("v_cvt_off_f32_i4 %0, %1", bits(static_cast<float>(S(a << 28) >> 28) / 16))                                    \
    ROW("v_cvt_off_f32_i4 %0, %1 src0_sel:BYTE_3", bits(static_cast<float>(S(a >> 24 << 28) >> 28) / 16))              \
    ROW("v_add_u16 %0, %1, %2", (a + b) & 0xffff)                                                                      \
    ROW("v_mul_lo_u16 %0, %1, %2", (a * b) & 0xffff)                                                                   \
    ROW("v_pk_add_u16 %0, %1, %2", ((a + b) & 0xffff) | ((a >> 16) + (b >> 16)) << 16)                                 \
    ROW("v_pk_sub_i16 %0, %1, %2 op_sel:[1,0] op_sel_hi:[0,1]", (((a >> 16) - b) & 0xffff) | (a - (b >> 16)) << 16)    \
    ROW("v_pk_mul_lo_u16 %0, %1, %2", ((a * b) & 0xffff) | ((a >> 16) * (b >> 16)) << 16)                              \
    ROW("v_pk_lshlrev_b16 %0, 3, %1 op_sel_hi:[0,1]", (a << 3 & 0xffff) | (a >> 16) << 19)                             \
    ROW("v_add_u32_sdwa %0, %1, %2 dst_sel:DWORD src0_sel:BYTE_1 src1_sel:WORD_1", (a >> 8 & 0xff) + (b >> 16))        \
    ROW("v_mov_b32 %0, %3\n v_add_u32_sdwa %0, %1, %2 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD",       \
        (c & 0xffff00ff) | ((a + b) & 0xff) << 8)                                                                      \
    ROW("v_mov_b32 %0, %3\n v_mov_b32_sdwa %0, %1 dst_sel:BYTE_3 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2",          \
        (c & 0xffffff) | (a >> 16 & 0xff) << 24)                                                                       \
    ROW("v_mov_b32 %0, %3\n v_xor_b32_sdwa %0, %1, %2 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:DWORD",            \
        (a ^ b) << 16)                                                                                                 \
    ROW("v_mov_b32_sdwa %0, %1 dst_sel:BYTE_1 dst_unused:UNUSED_SEXT src0_sel:BYTE_3", U(S(std::int8_t(a >> 24))) << 8)\
    ROW("v_mov_b32_sdwa %0, %1 dst_sel:WORD_0 dst_unused:UNUSED_SEXT src0_sel:WORD_1", U(low16(a >> 16)))              \
    ROW("v_mov_b32 %0, %3\n v_add_u16_sdwa %0, %1, %2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0",      \
        (c & 0xffff) | (a + b) << 16)                                                                                  \
    ROW("v_add_co_u32 %0, vcc, %1, %2\n v_addc_co_u32 %0, vcc, %3, 0, vcc", c + U((U64{a} + b) >> 32))                 \
    ROW("v_sub_co_u32 %0, vcc, %1, %2\n v_subb_co_u32 %0, vcc, %3, %1, vcc", c - a - U(a < b))                         \
    ROW("v_cmp_lt_i32 vcc, %1, %2\n v_cndmask_b32 %0, %3, %1, vcc", S(a) < S(b) ? a : c)                               \
    ROW("v_cmp_eq_u32 s[20:21], 5, %2\n v_cndmask_b32_e64 %0, 1, 2, s[20:21]", b == 5 ? 2 : 1)                         \
    ROW("v_dot4_i32_i8 %0, %1, %2, %3", c + dotOfBytes(a, b))                                                          \
    ROW("v_cvt_pk_i16_i32 %0, %1, %2", U(std::uint16_t(clampTo16(S(a)))) | U(std::uint16_t(clampTo16(S(b)))) << 16)    \
    ROW("v_cvt_f32_i32 %0, %1", bits(float(S(a))))                                                                     \
    ROW("v_cvt_f32_u32 %0, %1", bits(float(a)))                                                                        \
    ROW("v_cvt_f32_ubyte2 %0, %1", bits(float(a >> 16 & 0xff)))                                                        \
    ROW("v_accvgpr_write_b32 a3, %1\n s_nop 4\n v_accvgpr_read_b32 %0, a3", a)                                         \
    ROW("v_mov_b32 v100, %1\n v_add_u32 v101, v100, %2 ; a comment\n v_xor_b32 %0, v101, v100 // another", (a + b) ^ a)

// Scalar instructions on values that all lanes share: the row's own.
#define SCALAR_ROWS(ROW)                                                                                               \
    ROW("s_add_u32 %0, %1, %2\n s_addc_u32 %0, %3, 7", c + 7 + U((U64{a} + b) >> 32))                                  \
    ROW("s_sub_u32 %0, %1, %2\n s_subb_u32 %0, %3, 0", c - U(a < b))                                                   \
    ROW("s_mul_i32 %0, %1, %2", a* b)                                                                                  \
    ROW("s_mul_hi_u32 %0, %1, %2", U(U64{a} * b >> 32))                                                                \
    ROW("s_and_b32 %0, %1, %2", a& b)                                                                                  \
    ROW("s_andn2_b32 %0, %1, %2", a & ~b)                                                                              \
    ROW("s_nor_b32 %0, %1, %2", ~(a | b))                                                                              \
    ROW("s_lshl_b32 %0, %1, %2", a << (b & 31))                                                                        \
    ROW("s_ashr_i32 %0, %1, 5", U(S(a) >> 5))                                                                          \
    ROW("s_lshl3_add_u32 %0, %1, %2", (a << 3) + b)                                                                    \
    ROW("s_bfe_u32 %0, %1, 0x90004", a >> 4 & 0x1ff)                                                                   \
    ROW("s_bfe_u32 %0, %1, 0x200004", a >> 4)                                                                          \
    ROW("s_bfe_i32 %0, %1, 0x200004", U(S(a) >> 4))                                                                    \
    ROW("s_cmp_lt_u32 %1, %2\n s_cselect_b32 %0, %1, %3", a < b ? a : c)                                               \
    ROW("s_min_i32 %0, %1, %2", U(S(a) < S(b) ? S(a) : S(b)))                                                          \
    ROW("s_pack_lh_b32_b16 %0, %1, %2", (a & 0xffff) | (b & 0xffff0000))                                               \
    ROW("s_movk_i32 %0, 0xfff0", U(-16))                                                                               \
    ROW("s_abs_i32 %0, %1", S(a) < 0 ? 0 - a : a)                                                                      \
    ROW("s_absdiff_i32 %0, %1, %2", S(a) < S(b) ? b - a : a - b)                                                       \
    ROW("s_mov_b32 %0, %1\n s_addk_i32 %0, 0xfff0", a - 16)                                                            \
    ROW("s_mov_b32 %0, %1\n s_mulk_i32 %0, 0x7fff", a * 0x7fff)                                                        \
    ROW("s_cmpk_lt_i32 %1, 0xff00\n s_cselect_b32 %0, %2, %3", S(a) < -256 ? b : c)                                    \
    ROW("s_cmpk_gt_u32 %1, 0xff00\n s_cselect_b32 %0, %2, %3", a > 0xff00 ? b : c)                                     \
    ROW("s_bitcmp1_b32 %1, %2\n s_cselect_b32 %0, 1, 0", a >> (b & 31) & 1)                                            \
    ROW("s_mov_b32 %0, %1\n s_bitset1_b32 %0, %2", a | U{1} << (b & 31))                                               \
    ROW("s_mov_b32 %0, %1\n s_bitset0_b32 %0, %2", a & ~(U{1} << (b & 31)))                                            \
    ROW("s_bfm_b32 %0, %1, %2", ((U{1} << (a & 31)) - 1) << (b & 31))                                                  \
    ROW("s_bcnt0_i32_b32 %0, %1", 32 - U(__builtin_popcount(a)))                                                       \
    ROW("s_ff1_i32_b32 %0, %1", a == 0 ? ~U{0} : U(__builtin_ctz(a)))                                                  \
    ROW("s_ff0_i32_b32 %0, %1", ~a == 0 ? ~U{0} : U(__builtin_ctz(~a)))                                                \
    ROW("s_flbit_i32_b32 %0, %1", a == 0 ? ~U{0} : U(__builtin_clz(a)))                                                \
    ROW("s_flbit_i32 %0, %1", a == 0 ? ~U{0} : U(__builtin_clrsb(S(a)) + 1))                                           \
    ROW("s_sext_i32_i8 %0, %1", U(S(std::int8_t(a))))                                                                  \
    ROW("s_sext_i32_i16 %0, %1", U(low16(a)))                                                                          \
    ROW("s_mov_b32 s40, %1\n s_mov_b32 s41, %2\n s_bcnt1_i32_b64 %0, s[40:41]",                                        \
        U(__builtin_popcount(a) + __builtin_popcount(b)))                                                              \
    ROW("s_mov_b32 s40, %1\n s_mov_b32 s41, %2\n s_bfe_u64 s[40:41], s[40:41], 0x150012\n s_mov_b32 %0, s40",          \
        U((U64{b} << 32 | a) >> 18 & 0x1fffff))                                                                        \
    ROW("s_mov_b32 s40, %1\n s_mov_b32 s41, %2\n s_bfe_i64 s[40:41], s[40:41], 0x150012\n s_mov_b32 %0, s41",          \
        U(U64(S64(U64{b} << 32 | a) << 25 >> 43) >> 32))                                                               \
    ROW("s_mov_b32 %0, %3\n s_cmp_lg_u32 %1, 0\n s_cmov_b32 %0, %2", a != 0 ? b : c)                                   \
    ROW("s_mov_b32 s40, %1\n s_not_b32 %0, s40", ~a)

// a, b and c are floats between -8 and 8.
#define FLOAT_ROWS(ROW)                                                                                                \
    ROW("v_add_f32 %0, %1, %2", bits(a + b))                                                                           \
    ROW("v_sub_f32 %0, %1, %2", bits(a - b))                                                                           \
    ROW("v_subrev_f32 %0, %1, %2", bits(b - a))                                                                        \
    ROW("v_mul_f32 %0, %1, %2", bits(a* b))                                                                            \
    ROW("v_mul_f32 %0, 0.5, %2", bits(0.5f * b))                                                                       \
    ROW("v_mul_f32 %0, 0x3fb8aa3b, %2", bits(as<float>(0x3fb8aa3b) * b))                                               \
    ROW("v_add_f32 %0, -%1, |%2|", bits(-a + std::fabs(b)))                                                            \
    ROW("v_add_f32 %0, -|%1|, %2 mul:2", bits((-std::fabs(a) + b) * 2))                                                \
    ROW("v_add_f32 %0, %1, %2 clamp", bits(std::fmin(std::fmax(a + b, 0.f), 1.f)))                                     \
    ROW("v_fma_f32 %0, %1, %2, %3", bits(std::fma(a, b, c)))                                                           \
    ROW("v_fma_f32 %0, %1, -%2, -1.0", bits(std::fma(a, -b, -1.f)))                                                    \
    ROW("v_mov_b32 %0, %3\n v_fmac_f32 %0, %1, %2", bits(std::fma(a, b, c)))                                           \
    ROW("v_max_f32 %0, %1, %2", bits(std::fmax(a, b)))                                                                 \
    ROW("v_min_f32 %0, %1, %2", bits(std::fmin(a, b)))                                                                 \
    ROW("v_max3_f32 %0, %1, |%2|, %3", bits(std::fmax(a, std::fmax(std::fabs(b), c))))                                 \
    ROW("v_med3_f32 %0, %1, %2, %3", bits(std::fmax(std::fmin(a, b), std::fmin(std::fmax(a, b), c))))                  \
    ROW("v_floor_f32 %0, %1", bits(std::floor(a)))                                                                     \
    ROW("v_ceil_f32 %0, %1", bits(std::ceil(a)))                                                                       \
    ROW("v_trunc_f32 %0, %1", bits(std::trunc(a)))                                                                     \
    ROW("v_rndne_f32 %0, %1", bits(std::nearbyint(a)))                                                                 \
    ROW("v_rcp_f32 %0, %1", bits(1 / a))                                                                               \
    ROW("v_sqrt_f32 %0, |%1|", bits(std::sqrt(std::fabs(a))))                                                          \
    ROW("v_fract_f32 %0, %1", bits(a - std::floor(a)))                                                                 \
    ROW("v_cvt_f16_f32 v90, %1\n v_cvt_norm_i16_f16 %0, v90",                                                          \
        U(std::uint16_t(std::nearbyint(32767 * std::clamp(ofHalf(half(a), 0), -1.f, 1.f)))))                           \
    ROW("v_cvt_f16_f32 v90, %1\n v_cvt_norm_u16_f16 %0, v90",                                                          \
        U(std::nearbyint(65535 * std::clamp(ofHalf(half(a), 0), 0.f, 1.f))))                                           \
    ROW("v_frexp_exp_i32_f32 %0, %1", U(std::ilogb(a) + 1))                                                            \
    ROW("v_frexp_mant_f32 %0, %1", bits(std::ldexp(a, -(std::ilogb(a) + 1))))                                          \
    ROW("v_cvt_f16_f32 v90, %1\n v_mov_b32 v91, 3\n v_ldexp_f16 %0, v90, v91", half(8 * ofHalf(half(a), 0)))           \
    ROW("v_mov_b32 %0, %3\n v_cvt_pkaccum_u8_f32 %0, |%1|, 2",                                                         \
        (bits(c) & 0xff00ffff) | U(std::nearbyint(std::fabs(a))) << 16)                                                \
    ROW("v_cvt_f16_f32 v90, %1\n v_cvt_f16_f32 v91, %2\n v_mov_b32 v94, 1.0\n v_dot2c_f32_f16 v94, v90, v91\n "        \
        "v_mov_b32 %0, v94",                                                                                           \
        bits(1.f + ofHalf(half(a), 0) * ofHalf(half(b), 0)))                                                           \
    ROW("v_div_scale_f32 v90, vcc, %2, %2, %1\n v_div_scale_f32 v91, vcc, %1, %2, %1\n v_rcp_f32 v94, v90\n "          \
        "v_fma_f32 v95, -v90, v94, 1.0\n v_fma_f32 v94, v95, v94, v94\n v_mul_f32 v95, v91, v94\n v_fma_f32 v96, "     \
        "-v90, v95, v91\n v_fma_f32 v95, v96, v94, v95\n v_fma_f32 v90, -v90, v95, v91\n v_div_fmas_f32 v90, v90, "    \
        "v94, v95\n v_div_fixup_f32 %0, v90, %2, %1",                                                                  \
        bits(a / b))                                                                                                   \
    ROW("v_cvt_pk_fp8_f32 %0, %1, %2\n v_cvt_pk_fp8_f32 %0, %3, -%1 op_sel:[0,0,1]",                                   \
        float8(a, 3, 8) | float8(b, 3, 8) << 8 | float8(c, 3, 8) << 16 | float8(-a, 3, 8) << 24)                       \
    ROW("v_cvt_pk_bf8_f32 %0, %1, %2\n v_and_b32 %0, 0xffff, %0", float8(a, 2, 16) | float8(b, 2, 16) << 8)            \
    ROW("v_cvt_pk_fp8_f32 v99, %1, %2\n v_cvt_f32_fp8 %0, v99 src0_sel:BYTE_1", bits(ofFloat8(float8(b, 3, 8), 3, 8))) \
    ROW("v_cvt_pk_bf8_f32 v99, %1, %2\n v_cvt_pk_f32_bf8 v[94:95], v99 src0_sel:WORD_0\n v_mov_b32 %0, v95",           \
        bits(ofFloat8(float8(b, 2, 16), 2, 16)))                                                                       \
    ROW("v_ldexp_f32 %0, %1, 3", bits(a * 8))                                                                          \
    ROW("v_cvt_i32_f32 %0, %1", U(static_cast<int>(a)))                                                                \
    ROW("v_mul_f32 %0, 0x7e000000, %1\n v_cvt_i32_f32 %0, %0", U(saturated(as<float>(0x7e000000) * a)))                \
    ROW("v_cvt_u32_f32 %0, %1", a < 0 ? 0 : static_cast<U>(a))                                                         \
    ROW("v_cvt_flr_i32_f32 %0, %1", U(static_cast<int>(std::floor(a))))                                                \
    ROW("v_cvt_f16_f32 %0, %1", half(a))                                                                               \
    ROW("v_cvt_f16_f32 %0, %1\n v_cvt_f32_f16 %0, %0", bits(static_cast<float>(static_cast<_Float16>(a))))             \
    ROW("v_cvt_f16_f32 v90, %1\n v_cvt_f16_f32 v91, %2\n v_pack_b32_f16 %0, v90, v91", half(a) | half(b) << 16)        \
    ROW("v_cvt_f16_f32 v90, %1\n v_cvt_f16_f32 v91, %2\n v_add_f16 %0, v90, v91",                                      \
        half(ofHalf(half(a), 0) + ofHalf(half(b), 0)))                                                                 \
    ROW("v_cmp_gt_f32 vcc, %1, %2\n v_cndmask_b32 %0, %3, %1, vcc", bits(a > b ? a : c))                               \
    ROW("v_cmp_class_f32 vcc, %1, 0x3c\n v_cndmask_b32 %0, 0, 1, vcc", U(std::signbit(a)))                             \
    ROW("v_cvt_f64_f32 v[94:95], %1\n v_cvt_f64_f32 v[96:97], %2\n v_fma_f64 v[94:95], v[94:95], v[96:97], 0.5\n "     \
        "v_cvt_f32_f64 %0, v[94:95]",                                                                                  \
        bits(static_cast<float>(std::fma(double{a}, double{b}, 0.5))))                                                 \
    ROW("v_cvt_pkrtz_f16_f32 v98, %1, %2\n v_fma_mix_f32 %0, v98, %2, %3 op_sel_hi:[1,0,0]",                           \
        bits(std::fma(ofHalf(towardZero(a), 0), b, c)))

S dotOfBytes(U a, U b) {
    S sum = 0;
    for (int i = 0; i < 4; ++i) {
        sum += static_cast<std::int8_t>(a >> (8 * i)) * static_cast<std::int8_t>(b >> (8 * i));
    }
    return sum;
}
S low16(U x) {
    return static_cast<std::int16_t>(x);
}
S clampedTo32(S64 x) {
    return x < -2147483648ll ? -2147483647 - 1 : x > 2147483647 ? 2147483647 : static_cast<S>(x);
}
U differenceOfBytes(U a, U b) {
    U sum = 0;
    for (int i = 0; i < 4; ++i) {
        sum += static_cast<U>(std::abs(static_cast<int>(a >> (8 * i) & 0xff) - static_cast<int>(b >> (8 * i) & 0xff)));
    }
    return sum;
}
U maskedDifferenceOfBytes(U a, U reference) { // where the reference has a byte
    U mask = 0;
    for (int i = 0; i < 4; ++i) {
        mask |= (reference >> (8 * i) & 0xff) != 0 ? U{0xff} << (8 * i) : 0;
    }
    return differenceOfBytes(a & mask, reference);
}
S clampTo16(S x) {
    return x < -32768 ? -32768 : x > 32767 ? 32767 : x;
}
// FNUZ: the sign above, then the exponent with this bias, then so many bits of the mantissa.
float ofFloat8(U code, int mantissaBits, int bias) {
    const int exponent = static_cast<int>(code & 0x7f) >> mantissaBits,
              mantissa = static_cast<int>(code & ((1 << mantissaBits) - 1));
    const float size =
        exponent == 0 ? std::ldexp(static_cast<float>(mantissa), 1 - bias - mantissaBits)
                      : std::ldexp(static_cast<float>((1 << mantissaBits) + mantissa), exponent - bias - mantissaBits);
    return code & 0x80 ? -size : size;
}
U float8(float x, int mantissaBits, int bias) {
    U best = 0;
    for (U code = 1; code < 128; ++code) {
        const float here = std::fabs(std::fabs(x) - ofFloat8(code, mantissaBits, bias)),
                    there = std::fabs(std::fabs(x) - ofFloat8(best, mantissaBits, bias));
        best = here < there || (here == there && code % 2 == 0) ? code : best;
    }
    return best != 0 && std::signbit(x) ? best | 0x80 : best;
}
U towardZero(float x) {
    const U nearest = half(x);
    return std::fabs(ofHalf(nearest, 0)) > std::fabs(x) ? nearest - 1 : nearest;
}

constexpr int Values = 192;
#define COUNT(TEXT, EXPECTED) +1
#define RUN_VECTOR(TEXT, EXPECTED)                                                                                     \
    asm volatile(TEXT                                                                                                  \
                 : "=&v"(r)                                                                                            \
                 : "v"(a), "v"(b), "v"(c)                                                                              \
                 : "vcc", "v90", "v91", "v94", "v95", "v96", "v97", "v98", "v99", "v100", "v101", "a3", "s20", "s21"); \
    out[n++ * Values + i] = r;
#define RUN_SCALAR(TEXT, EXPECTED)                                                                                     \
    asm volatile(TEXT : "=&s"(r) : "s"(a), "s"(b), "s"(c) : "scc", "s40", "s41");                                      \
    out[n++ * Values + i] = r;

__global__ void integers(const U* as, const U* bs, const U* cs, U* out) {
    const int i = threadIdx.x;
    const U a = as[i], b = bs[i], c = cs[i];
    U r;
    int n = 0;
    INTEGER_ROWS(RUN_VECTOR)
}
__global__ void scalars(const U* as, const U* bs, const U* cs, U* out) {
    const int i = blockIdx.x;
    const U a = as[i], b = bs[i], c = cs[i];
    U r;
    int n = 0;
    SCALAR_ROWS(RUN_SCALAR)
}
__global__ void floats(const float* as, const float* bs, const float* cs, U* out) {
    const int i = threadIdx.x;
    const float a = as[i], b = bs[i], c = cs[i];
    U r;
    int n = 0;
    FLOAT_ROWS(RUN_VECTOR)
}

// Pairs of registers, and what has several results.
__global__ void pairs(const U64* aValues, const U64* bValues, U64* out) {
    const int i = threadIdx.x;
    const U64 a = aValues[i], b = bValues[i];
    U64 r[7];
    asm("v_lshlrev_b64 %0, 7, %1" : "=v"(r[0]) : "v"(a));
    asm("v_lshl_add_u64 %0, %1, 2, %2" : "=v"(r[1]) : "v"(a), "v"(b));
    asm("v_mad_u64_u32 %0, vcc, %1, %2, %3"
        : "=v"(r[2])
        : "v"(static_cast<U>(a)), "v"(static_cast<U>(b)), "v"(b)
        : "vcc");
    const auto x = as<Floats2>(a & 0x3fffffff3fffffff), y = as<Floats2>(b & 0x3fffffff3fffffff);
    Floats2 sum, product, fused;
    asm volatile("v_pk_add_f32 %0, %2, %3\n v_pk_mul_f32 %1, %2, %3 op_sel:[1,0] op_sel_hi:[0,1]"
                 : "=&v"(sum), "=&v"(product)
                 : "v"(x), "v"(y));
    asm volatile("v_pk_fma_f32 %0, %1, %2, %0 op_sel_hi:[0,1,1] neg_lo:[0,0,1]"
                 : "=v"(fused)
                 : "v"(x), "v"(y), "0"(sum));
    r[3] = as<U64>(sum);
    r[4] = as<U64>(product);
    r[5] = as<U64>(fused);
    asm("v_mov_b64 %0, %1" : "=v"(r[6]) : "v"(a));
    for (int k = 0; k < 7; ++k) {
        out[k * Values + i] = r[k];
    }
}

std::string inOneLine(std::string text) {
    for (char& letter : text) {
        letter = letter == '\n' ? ';' : letter;
    }
    return text;
}

int main() {
    std::vector<U> a(Values), b(Values), c(Values);
    std::vector<float> fa(Values), fb(Values), fc(Values);
    std::vector<U64> la(Values), lb(Values);
    U state = 12345;
    const auto next = [&] { return state = state * 1664525 + 1013904223, state ^ state >> 13; };
    for (int i = 0; i < Values; ++i) {
        a[i] = i % 8 == 0 ? U(i) : next();
        b[i] = i % 8 == 1 ? 5 : next();
        c[i] = next();
        fa[i] = static_cast<float>(static_cast<S>(next())) / 268435456.f;
        fb[i] = static_cast<float>(static_cast<S>(next())) / 268435456.f;
        fc[i] = static_cast<float>(static_cast<S>(next())) / 268435456.f;
        la[i] = U64{next()} << 32 | next();
        lb[i] = U64{next()} << 32 | next();
    }
    a[0] = 0;
    const Device<U> da(a), db(b), dc(c);
    const Device<float> dfa(fa), dfb(fb), dfc(fc);
    constexpr int integerRows = 0 INTEGER_ROWS(COUNT), scalarRows = 0 SCALAR_ROWS(COUNT),
                  floatRows = 0 FLOAT_ROWS(COUNT);
    Device<U> integerOut(integerRows * Values), scalarOut(scalarRows * Values), floatOut(floatRows * Values);
    integers<<<1, Values>>>(da.get(), db.get(), dc.get(), integerOut.get());
    scalars<<<Values, 64>>>(da.get(), db.get(), dc.get(), scalarOut.get());
    floats<<<1, Values>>>(dfa.get(), dfb.get(), dfc.get(), floatOut.get());
    const auto integerResults = integerOut.read(), scalarResults = scalarOut.read(), floatResults = floatOut.read();
    int row = 0;
#define CHECK(RESULTS, AS, BS, CS, TEXT, EXPECTED)                                                                     \
    {                                                                                                                  \
        bool right = true;                                                                                             \
        for (int i = 0; i < Values; ++i) {                                                                             \
            [[maybe_unused]] const auto a = AS[i], b = BS[i], c = CS[i];                                               \
            right = right && RESULTS[row * Values + i] == U(EXPECTED);                                                 \
        }                                                                                                              \
        expect(inOneLine(TEXT).c_str(), right);                                                                        \
        ++row;                                                                                                         \
    }
    {
        const auto xa = a, xb = b, xc = c;
#define CHECK_INTEGERS(TEXT, EXPECTED) CHECK(integerResults, xa, xb, xc, TEXT, EXPECTED)
        INTEGER_ROWS(CHECK_INTEGERS)
        row = 0;
#define CHECK_SCALARS(TEXT, EXPECTED) CHECK(scalarResults, xa, xb, xc, TEXT, EXPECTED)
        SCALAR_ROWS(CHECK_SCALARS)
        row = 0;
#define CHECK_FLOATS(TEXT, EXPECTED) CHECK(floatResults, fa, fb, fc, TEXT, EXPECTED)
        FLOAT_ROWS(CHECK_FLOATS)
    }

    const Device<U64> dla(la), dlb(lb);
    Device<U64> pairOut(7 * Values);
    pairs<<<1, Values>>>(dla.get(), dlb.get(), pairOut.get());
    const auto p = pairOut.read();
    bool right[7] = {true, true, true, true, true, true, true};
    for (int i = 0; i < Values; ++i) {
        const U64 x = la[i], y = lb[i];
        const float x0 = as<float>(U(x) & 0x3fffffff), x1 = as<float>(U(x >> 32) & 0x3fffffff);
        const float y0 = as<float>(U(y) & 0x3fffffff), y1 = as<float>(U(y >> 32) & 0x3fffffff);
        const auto pair = [](float low, float high) { return U64{bits(high)} << 32 | bits(low); };
        right[0] = right[0] && p[i] == x << 7;
        right[1] = right[1] && p[Values + i] == (x << 2) + y;
        right[2] = right[2] && p[2 * Values + i] == U64{U(x)} * U(y) + y;
        right[3] = right[3] && p[3 * Values + i] == pair(x0 + y0, x1 + y1);
        right[4] = right[4] && p[4 * Values + i] == pair(x1 * y0, x0 * y1);
        right[5] = right[5] && p[5 * Values + i] == pair(std::fma(x0, y0, -(x0 + y0)), std::fma(x0, y1, x1 + y1));
        right[6] = right[6] && p[6 * Values + i] == x;
    }
    const char* names[7] = {
        "v_lshlrev_b64",           "v_lshl_add_u64", "v_mad_u64_u32", "v_pk_add_f32", "v_pk_mul_f32 of chosen halves",
        "v_pk_fma_f32 with signs", "v_mov_b64"};
    for (int k = 0; k < 7; ++k) {
        expect(names[k], right[k]);
    }
    return verdict();
}
