// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/device/device.h"

using namespace gks::hipcpu;
using namespace gks::hipcpu::device;

namespace {

template<class Out>
ALWAYS_INLINE Out field(Word value, Word index, Word bits) {
    const Word moved = value >> (index * bits);
    if constexpr (Out(-1) < Out(0)) {
        return static_cast<Out>(static_cast<std::int32_t>(moved << (32 - bits)) >> (32 - bits));
    } else {
        return static_cast<Out>(moved & ((Word{1} << bits) - 1));
    }
}

// Dot product of the packed fields of two words, added to c; with saturation the sum is held in the range of 32 bits.
template<class Element, class Wide>
ALWAYS_INLINE Element dotProduct(Word a, Word b, Element c, Word bits, bool saturate) {
    Wide sum = c;
    for (Word i = 0; i < 32 / bits; ++i) {
        sum += static_cast<Wide>(field<Element>(a, i, bits)) * field<Element>(b, i, bits);
    }
    if (saturate) {
        constexpr bool isSigned = Element(-1) < Element(0);
        constexpr Wide most = isSigned ? Wide{0x7fffffff} : Wide{0xffffffff};
        constexpr Wide least = isSigned ? -most - 1 : Wide{0};
        sum = sum > most ? most : sum < least ? least : sum;
    }
    return static_cast<Element>(sum);
}

using SignedWide = std::int64_t;

ALWAYS_INLINE Word difference(Word a, Word b) {
    return a > b ? a - b : b - a;
}

} // namespace

DEVICE_FUNCTION Word hipcpu_amdgcn_ubfe_i32(Word value, Word offset, Word width) {
    width &= 31;
    return width ? value >> (offset & 31) & ((Word{1} << width) - 1) : 0;
}

DEVICE_FUNCTION std::int32_t hipcpu_amdgcn_sbfe_i32(Word value, Word offset, Word width) {
    width &= 31;
    // Beyond the value's end lies its sign.
    const auto from = static_cast<Word>(static_cast<std::int32_t>(value) >> (offset & 31));
    return width ? static_cast<std::int32_t>(from << (32 - width)) >> (32 - width) : 0;
}

// Selectors: 0..7 a byte of b:a, 8..11 the sign of a half, 12 zero, above 0xff.
DEVICE_FUNCTION Word hipcpu_amdgcn_perm(Word a, Word b, Word selector) {
    const DoubleWord bytes = DoubleWord{a} << 32 | b;
    Word result = 0;
    for (Word i = 0; i < 4; ++i) {
        const Word select = selector >> (8 * i) & 0xff;
        Word byte = 0xff;
        if (select < 8) {
            byte = static_cast<Word>(bytes >> (8 * select)) & 0xff;
        } else if (select < 12) {
            byte = bytes >> ((select - 8) * 16 + 15) & 1 ? 0xff : 0;
        } else if (select == 12) {
            byte = 0;
        }
        result |= byte << (8 * i);
    }
    return result;
}

DEVICE_FUNCTION Word hipcpu_amdgcn_alignbyte(Word high, Word low, Word bytes) {
    return static_cast<Word>((DoubleWord{high} << 32 | low) >> (8 * (bytes & 3)));
}
DEVICE_FUNCTION Word hipcpu_amdgcn_alignbit(Word high, Word low, Word bits) {
    return static_cast<Word>((DoubleWord{high} << 32 | low) >> (bits & 31));
}

DEVICE_FUNCTION Word hipcpu_amdgcn_sad_u8(Word a, Word b, Word c) {
    for (Word i = 0; i < 4; ++i) {
        c += difference(field<Word>(a, i, 8), field<Word>(b, i, 8));
    }
    return c;
}
DEVICE_FUNCTION Word hipcpu_amdgcn_sad_hi_u8(Word a, Word b, Word c) {
    return (hipcpu_amdgcn_sad_u8(a, b, 0) << 16) + c;
}
DEVICE_FUNCTION Word hipcpu_amdgcn_sad_u16(Word a, Word b, Word c) {
    return c + difference(a & 0xffff, b & 0xffff) + difference(a >> 16, b >> 16);
}
DEVICE_FUNCTION Word hipcpu_amdgcn_msad_u8(Word a, Word b, Word c) {
    for (Word i = 0; i < 4; ++i) {
        const Word reference = field<Word>(b, i, 8);
        c += reference ? difference(field<Word>(a, i, 8), reference) : 0;
    }
    return c;
}
// Four sums of differences, each of the four bytes one further on; m: reference bytes that are 0 do not count.
#define QUAD_SADS(NAME, SUM)                                                                                           \
    DEVICE_FUNCTION DoubleWord hipcpu_amdgcn_##NAME##_pk_u16_u8(DoubleWord a, Word b, DoubleWord c) {                  \
        DoubleWord result = 0;                                                                                         \
        for (Word i = 0; i < 4; ++i) {                                                                                 \
            const Word sum = SUM(static_cast<Word>(a >> (8 * i)), b, static_cast<Word>(c >> (16 * i)) & 0xffff);       \
            result |= DoubleWord{sum > 0xffff ? 0xffff : sum} << (16 * i);                                             \
        }                                                                                                              \
        return result;                                                                                                 \
    }
QUAD_SADS(qsad, hipcpu_amdgcn_sad_u8)
QUAD_SADS(mqsad, hipcpu_amdgcn_msad_u8)
DEVICE_FUNCTION void hipcpu_v_amdgcn_mqsad_u32_u8(Word* result, DoubleWord a, Word b, const Word* c) {
    for (Word i = 0; i < 4; ++i) {
        result[i] = hipcpu_amdgcn_msad_u8(static_cast<Word>(a >> (8 * i)), b, c[i]);
    }
}
DEVICE_FUNCTION Word hipcpu_amdgcn_lerp(Word a, Word b, Word c) {
    Word result = 0;
    for (Word i = 0; i < 4; ++i) {
        result |= ((field<Word>(a, i, 8) + field<Word>(b, i, 8) + (c >> (8 * i) & 1)) >> 1) << (8 * i);
    }
    return result;
}

// The position of the first bit that differs from the sign, from the top; -1 when there is none.
DEVICE_FUNCTION Word hipcpu_amdgcn_sffbh_i32(Word value) {
    const Word magnitude = static_cast<std::int32_t>(value) < 0 ? ~value : value;
    return magnitude ? static_cast<Word>(__builtin_clz(magnitude)) : ~Word{0};
}

DEVICE_FUNCTION std::int32_t hipcpu_amdgcn_mul_i24_i32(std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(static_cast<Word>(field<std::int32_t>(static_cast<Word>(a), 0, 24)) *
                                     static_cast<Word>(field<std::int32_t>(static_cast<Word>(b), 0, 24)));
}
DEVICE_FUNCTION Word hipcpu_amdgcn_mul_u24_i32(Word a, Word b) {
    return (a & 0xffffff) * (b & 0xffffff);
}
DEVICE_FUNCTION std::int32_t hipcpu_amdgcn_mulhi_i24(std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(SignedWide{field<std::int32_t>(static_cast<Word>(a), 0, 24)} *
                                         field<std::int32_t>(static_cast<Word>(b), 0, 24) >>
                                     32);
}
DEVICE_FUNCTION Word hipcpu_amdgcn_mulhi_u24(Word a, Word b) {
    return static_cast<Word>(DoubleWord{a & 0xffffff} * (b & 0xffffff) >> 32);
}
DEVICE_FUNCTION std::int32_t __ockl_mul24_i32(std::int32_t a, std::int32_t b) {
    return hipcpu_amdgcn_mul_i24_i32(a, b);
}
DEVICE_FUNCTION Word __ockl_mul24_u32(Word a, Word b) {
    return hipcpu_amdgcn_mul_u24_i32(a, b);
}
DEVICE_FUNCTION std::int32_t __ockl_mul_hi_i32(std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(SignedWide{a} * b >> 32);
}
DEVICE_FUNCTION Word __ockl_mul_hi_u32(Word a, Word b) {
    return static_cast<Word>(DoubleWord{a} * b >> 32);
}
DEVICE_FUNCTION DoubleWord __ockl_mul_hi_u64(DoubleWord a, DoubleWord b) {
    return static_cast<DoubleWord>(static_cast<unsigned __int128>(a) * b >> 64);
}
DEVICE_FUNCTION std::int64_t __ockl_mul_hi_i64(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<__int128>(a) * b >> 64);
}
DEVICE_FUNCTION Word __ockl_sadd_u32(Word a, Word b, Word c) { // of dwords
    return c + difference(a, b);
}
DEVICE_FUNCTION Word __ockl_clz_u8(std::uint8_t x) {
    return x ? static_cast<Word>(__builtin_clz(x)) - 24 : 8;
}
DEVICE_FUNCTION std::uint16_t __ockl_clz_u16(std::uint16_t x) {
    return static_cast<std::uint16_t>(x ? __builtin_clz(x) - 16 : 16);
}
DEVICE_FUNCTION Word __ockl_clz_u32(Word x) {
    return x ? static_cast<Word>(__builtin_clz(x)) : 32;
}
DEVICE_FUNCTION DoubleWord __ockl_clz_u64(DoubleWord x) {
    return x ? static_cast<DoubleWord>(__builtin_clzll(x)) : 64;
}
DEVICE_FUNCTION Word __ockl_ctz_u32(Word x) {
    return x ? static_cast<Word>(__builtin_ctz(x)) : 32;
}
DEVICE_FUNCTION DoubleWord __ockl_ctz_u64(DoubleWord x) {
    return x ? static_cast<DoubleWord>(__builtin_ctzll(x)) : 64;
}
DEVICE_FUNCTION Word __ockl_popcount_u32(Word x) {
    return static_cast<Word>(__builtin_popcount(x));
}
DEVICE_FUNCTION DoubleWord __ockl_popcount_u64(DoubleWord x) {
    return static_cast<DoubleWord>(__builtin_popcountll(x));
}

#define DOT_PRODUCTS(BITS, COUNT)                                                                                      \
    DEVICE_FUNCTION std::int32_t hipcpu_amdgcn_sdot##COUNT(Word a, Word b, std::int32_t c, bool saturate) {            \
        return dotProduct<std::int32_t, SignedWide>(a, b, c, BITS, saturate);                                          \
    }                                                                                                                  \
    DEVICE_FUNCTION Word hipcpu_amdgcn_udot##COUNT(Word a, Word b, Word c, bool saturate) {                            \
        return dotProduct<Word, SignedWide>(a, b, c, BITS, saturate);                                                  \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_ockl_sdot##COUNT(std::int32_t* result, const Word* a, const Word* b, std::int32_t c, \
                                                   bool saturate) {                                                    \
        *result = dotProduct<std::int32_t, SignedWide>(*a, *b, c, BITS, saturate);                                     \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_ockl_udot##COUNT(Word* result, const Word* a, const Word* b, Word c,                 \
                                                   bool saturate) {                                                    \
        *result = dotProduct<Word, SignedWide>(*a, *b, c, BITS, saturate);                                             \
    }
DOT_PRODUCTS(4, 8)
DOT_PRODUCTS(8, 4)
DEVICE_FUNCTION std::int32_t __ockl_sdot8(Word a, Word b, std::int32_t c, bool saturate) {
    return dotProduct<std::int32_t, SignedWide>(a, b, c, 4, saturate);
}
DEVICE_FUNCTION Word __ockl_udot8(Word a, Word b, Word c, bool saturate) {
    return dotProduct<Word, SignedWide>(a, b, c, 4, saturate);
}
#define DOT_PRODUCTS_OF_TWO(PREFIX)                                                                                    \
    DEVICE_FUNCTION void hipcpu_v_##PREFIX##_sdot2(std::int32_t* result, const Word* a, const Word* b, std::int32_t c, \
                                                   bool saturate) {                                                    \
        *result = dotProduct<std::int32_t, SignedWide>(*a, *b, c, 16, saturate);                                       \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_##PREFIX##_udot2(Word* result, const Word* a, const Word* b, Word c,                 \
                                                   bool saturate) {                                                    \
        *result = dotProduct<Word, SignedWide>(*a, *b, c, 16, saturate);                                               \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_##PREFIX##_fdot2(float* result, const Half* a, const Half* b, float c, bool) {       \
        *result = static_cast<float>(a[0]) * static_cast<float>(b[0]) +                                                \
                  static_cast<float>(a[1]) * static_cast<float>(b[1]) + c;                                             \
    }
DOT_PRODUCTS_OF_TWO(amdgcn)
DOT_PRODUCTS_OF_TWO(ockl)
