// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/device/device.h"
#include "core/hipcpu/runtime/small_float.h"

using namespace gks::hipcpu;
using namespace gks::hipcpu::device;

// What gfx950 adds but for matrices and conversions (gfx950_conversions.cpp): lanes, transposed reads of LDS, bits.
// Semantics are those of the CDNA4 ISA, chapter 12.

namespace {

constexpr Word lanesOfRow = 16;

// After the swap of rows with the lane `distance` away: {of the first operand, of the second}.
ALWAYS_INLINE void swapRows(Word* result, Word first, Word second, Word distance, bool boundControl, void* site) {
    const DoubleWord* slots = nullptr;
    const DoubleWord active = hipcpu_wave_exchange(DoubleWord{first} << 32 | second, &slots, site);
    const Word lane = hipcpu_this_thread()->lane;
    const Word other = lane ^ distance;
    const bool isThere = active >> other & 1;
    const bool isUpper = lane & distance; // the upper rows of the first operand go, and the lower ones of the second
    const Word came = static_cast<Word>(isUpper ? slots[other] : slots[other] >> 32);
    const Word mine = isUpper ? first : second;
    const Word moved = isThere ? came : boundControl ? 0 : mine;
    result[0] = isUpper ? moved : first;
    result[1] = isUpper ? second : moved;
}

} // namespace

#define SITE __builtin_return_address(0)

LANE_FUNCTION void hipcpu_v_amdgcn_swap_permlane16(Word* result, Word first, Word second, bool, bool boundControl) {
    swapRows(result, first, second, 16, boundControl, SITE);
}
LANE_FUNCTION void hipcpu_v_amdgcn_swap_permlane32(Word* result, Word first, Word second, bool, bool boundControl) {
    swapRows(result, first, second, 32, boundControl, SITE);
}

// 16 lanes hold a matrix of 16 columns, row behind row, as many elements to a lane as it reads. Lane i gets column i.
// Of the elements of a lane `first` to `last` are in its deposit. The instruction set's text says no more than
// "transpose"; this is how public kernels address their operands (HipKittens, FlyDSL, Triton's linear layouts).
LANE_FUNCTION void hipcpu_transposed(Word* result, DoubleWord own, Word bits, Word ofLane, Word first, Word last) {
    const DoubleWord* slots = nullptr;
    const DoubleWord active = hipcpu_wave_exchange(own, &slots, SITE);
    const Word lane = hipcpu_this_thread()->lane;
    const Word column = lane % lanesOfRow;
    const Word position = column % ofLane;
    if (position < first || position >= last) {
        return;
    }
    for (Word row = 0; row < ofLane; ++row) {
        const Word source = lane - column + row * (lanesOfRow / ofLane) + column / ofLane;
        const DoubleWord all = active >> source & 1 ? slots[source] : 0;
        const DoubleWord element = all >> (bits * (position - first)) & ((DoubleWord{1} << bits) - 1);
        const Word at = row * bits;
        const DoubleWord placed = element << at % 32;
        result[at / 32] |= static_cast<Word>(placed);
        if (at % 32 + bits > 32) {
            result[at / 32 + 1] |= static_cast<Word>(placed >> 32);
        }
    }
}

// The reads are the lane's own, so that they are told like any others.
#define TRANSPOSED_READ(NAME, BITS)                                                                                    \
    DEVICE_FUNCTION __attribute__((convergent)) void hipcpu_v_amdgcn_ds_read_tr##NAME(Word* result, const void* lds) { \
        DoubleWord own;                                                                                                \
        __builtin_memcpy(&own, lds, sizeof own);                                                                       \
        Word gathered[2] = {};                                                                                         \
        hipcpu_transposed(gathered, own, BITS, 64 / BITS, 0, 64 / BITS);                                               \
        __builtin_memcpy(result, gathered, sizeof gathered);                                                           \
    }
TRANSPOSED_READ(4_b64_v2i32, 4)
TRANSPOSED_READ(8_b64_v2i32, 8)
TRANSPOSED_READ(16_b64_v4i16, 16)
TRANSPOSED_READ(16_b64_v4f16, 16)
TRANSPOSED_READ(16_b64_v4bf16, 16)
DEVICE_FUNCTION __attribute__((convergent)) void hipcpu_v_amdgcn_ds_read_tr6_b96_v3i32(Word* result, const void* lds) {
    constexpr Word bits = 6;
    constexpr Word ofLane = 16;
    constexpr Word atOnce = 10; // as many as a deposit holds
    Word own[3];
    __builtin_memcpy(own, lds, sizeof own);
    const DoubleWord low = DoubleWord{own[1]} << 32 | own[0];
    const DoubleWord high = DoubleWord{own[2]} << 4 | own[1] >> 28; // from bit 60
    Word gathered[3] = {};
    hipcpu_transposed(gathered, low, bits, ofLane, 0, atOnce);
    hipcpu_transposed(gathered, high, bits, ofLane, atOnce, ofLane);
    __builtin_memcpy(result, gathered, sizeof gathered);
}

// Bits of the truth table, counted by the bits of a, b and c in that order.
namespace {
ALWAYS_INLINE Word byTable(Word a, Word b, Word c, Word table) {
    Word result = 0;
    for (Word row = 0; row < 8; ++row) {
        const Word fits = (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
        result |= table >> row & 1 ? fits : 0;
    }
    return result;
}

ALWAYS_INLINE std::int32_t clamped(std::int32_t value, std::int32_t least, std::int32_t most) {
    return value < least ? least : value > most ? most : value;
}

ALWAYS_INLINE std::uint16_t shiftedPair(std::int32_t a, std::int32_t b, Word shift, std::int32_t least,
                                        std::int32_t most) {
    const auto byte = [&](std::int32_t value) {
        return static_cast<Word>(clamped(value >> (shift & 31), least, most)) & 0xff;
    };
    return static_cast<std::uint16_t>(byte(a) | byte(b) << 8);
}

ALWAYS_INLINE float ofBfloat(std::uint16_t bits) {
    return bitsAs<float>(Word{bits} << 16);
}
} // namespace

DEVICE_FUNCTION Word hipcpu_amdgcn_bitop3_i32(Word a, Word b, Word c, Word table) {
    return byTable(a, b, c, table);
}
DEVICE_FUNCTION std::uint16_t hipcpu_amdgcn_bitop3_i16(std::uint16_t a, std::uint16_t b, std::uint16_t c, Word table) {
    return static_cast<std::uint16_t>(byTable(a, b, c, table));
}
DEVICE_FUNCTION Word hipcpu_amdgcn_prng_b32(Word seed) {
    return nextSeed(seed);
}
DEVICE_FUNCTION std::uint16_t hipcpu_amdgcn_ashr_pk_i8_i32(std::int32_t a, std::int32_t b, Word shift) {
    return shiftedPair(a, b, shift, -128, 127);
}
DEVICE_FUNCTION std::uint16_t hipcpu_amdgcn_ashr_pk_u8_i32(std::int32_t a, std::int32_t b, Word shift) {
    return shiftedPair(a, b, shift, 0, 255);
}

// Products of bfloats are exact in float.
#define BFLOAT_DOT(NAME)                                                                                               \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_##NAME(float* result, const std::uint16_t* a, const std::uint16_t* b,         \
                                                float c, bool clamp) {                                                 \
        float sum = ofBfloat(a[0]) * ofBfloat(b[0]) + ofBfloat(a[1]) * ofBfloat(b[1]) + c;                             \
        if (clamp) {                                                                                                   \
            sum = __builtin_fminf(__builtin_fmaxf(sum, 0.0f), 1.0f);                                                   \
        }                                                                                                              \
        *result = sum;                                                                                                 \
    }
BFLOAT_DOT(fdot2_f32_bf16_gfx950)
BFLOAT_DOT(fdot2c_f32_bf16)
