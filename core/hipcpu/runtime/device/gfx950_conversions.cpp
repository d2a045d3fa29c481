// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/device/device.h"
#include "core/hipcpu/runtime/small_float.h"

using namespace gks::hipcpu;
using namespace gks::hipcpu::device;

// v_cvt_scalef32_*: between small floats and f32, f16 and bf16, with a scale that is the exponent of a float. To a
// small float the value is divided by it, from one multiplied. Packed results that are smaller than a register replace
// a part of the old one. With a seed rounding is stochastic, and each further element has the seed's successor (CDNA4
// ISA, 12.11, opcodes 565 to 618).

namespace {

ALWAYS_INLINE int exponentOf(float scale) {
    return exponentOfScale(bitsAs<Word>(scale) >> 23);
}

// The wide types by their bits.
struct Single {
    using Bits = Word;
    static constexpr WideFloat format = wideF32;
    static ALWAYS_INLINE Bits rounded(float value) { return bitsAs<Word>(value); }
};
struct HalfFloat {
    using Bits = std::uint16_t;
    static constexpr WideFloat format = wideF16;
    static ALWAYS_INLINE Bits rounded(float value) { return bitsAs<std::uint16_t>(static_cast<Half>(value)); }
};
struct Bfloat {
    using Bits = std::uint16_t;
    static constexpr WideFloat format = wideBf16;
    static ALWAYS_INLINE Bits rounded(float value) {
        const Word bits = bitsAs<Word>(value);
        return static_cast<std::uint16_t>(value != value ? bits >> 16 | 0x40
                                                         : (bits + 0x7fff + (bits >> 16 & 1)) >> 16);
    }
};

// Exact in float, but for what is too large: a small float has four significant bits.
ALWAYS_INLINE float scaledUp(Word code, int scale, const SmallFloat& format) {
    const float value = decodeSmall(code, format);
    if (scale == noScale) {
        return __builtin_copysignf(bitsAs<float>(0x7fc00000u), value);
    }
    return static_cast<float>(value * bitsAs<double>(static_cast<DoubleWord>(1023 + scale) << 52));
}

template<class Wide>
ALWAYS_INLINE Word scaledDown(typename Wide::Bits value, int scale, const SmallFloat& format) {
    return encodeSmall<false>(value, Wide::format, scale, 0, format);
}
template<class Wide>
ALWAYS_INLINE Word scaledDown(typename Wide::Bits value, int scale, Word seed, const SmallFloat& format) {
    return encodeSmall<true>(value, Wide::format, scale, seed, format);
}

ALWAYS_INLINE Word byteAt(Word value, Word index) {
    return value >> 8 * (index & 3) & 0xff;
}
ALWAYS_INLINE Word withByte(Word old, Word index, Word byte) {
    const Word shift = 8 * (index & 3);
    return (old & ~(Word{0xff} << shift)) | byte << shift;
}
ALWAYS_INLINE Word withHalf(Word old, bool high, Word half) {
    return high ? (old & 0xffff) | half << 16 : (old & 0xffff0000) | half;
}
ALWAYS_INLINE Word halfAt(Word value, bool high) {
    return high ? value >> 16 : value & 0xffff;
}

// 32 elements of 6 bits in 6 words.
constexpr Word elementsOf6 = 32;
ALWAYS_INLINE Word six(const Word* words, Word index) {
    const Word at = 6 * index;
    const DoubleWord two = words[at / 32] | (at % 32 > 26 ? DoubleWord{words[at / 32 + 1]} << 32 : 0);
    return static_cast<Word>(two >> at % 32) & 63;
}
ALWAYS_INLINE void putSix(Word* words, Word index, Word code) {
    const Word at = 6 * index;
    words[at / 32] |= code << at % 32;
    if (at % 32 > 26) {
        words[at / 32 + 1] |= code >> (32 - at % 32);
    }
}

template<class Wide>
ALWAYS_INLINE void all32To6(Word* result, const typename Wide::Bits* values, float scale, const SmallFloat& format) {
    Word packed[6] = {};
    for (Word i = 0; i < elementsOf6; ++i) {
        putSix(packed, i, scaledDown<Wide>(values[i], exponentOf(scale), format));
    }
    __builtin_memcpy(result, packed, sizeof packed);
}
template<class Wide>
ALWAYS_INLINE void all32To6(Word* result, const typename Wide::Bits* values, Word seed, float scale,
                            const SmallFloat& format) {
    Word packed[6] = {};
    for (Word i = 0; i < elementsOf6; ++i) {
        putSix(packed, i, scaledDown<Wide>(values[i], exponentOf(scale), seed, format));
        seed = nextSeed(seed);
    }
    __builtin_memcpy(result, packed, sizeof packed);
}
template<class Wide>
ALWAYS_INLINE void all32From6(typename Wide::Bits* result, const Word* packed, float scale, const SmallFloat& format) {
    for (Word i = 0; i < elementsOf6; ++i) {
        result[i] = Wide::rounded(scaledUp(six(packed, i), exponentOf(scale), format));
    }
}

template<class Wide>
ALWAYS_INLINE void pairFromFp4(typename Wide::Bits* result, Word source, float scale, Word index) {
    const Word byte = byteAt(source, index);
    result[0] = Wide::rounded(scaledUp(byte & 15, exponentOf(scale), ocpFp4));
    result[1] = Wide::rounded(scaledUp(byte >> 4, exponentOf(scale), ocpFp4));
}
template<class Wide>
ALWAYS_INLINE Word pairToFp4(Word old, typename Wide::Bits a, typename Wide::Bits b, float scale, Word index) {
    const int exponent = exponentOf(scale);
    return withByte(old, index, scaledDown<Wide>(a, exponent, ocpFp4) | scaledDown<Wide>(b, exponent, ocpFp4) << 4);
}
template<class Wide>
ALWAYS_INLINE Word pairToFp4(Word old, const typename Wide::Bits* pair, Word seed, float scale, Word index) {
    const int exponent = exponentOf(scale);
    return withByte(old, index,
                    scaledDown<Wide>(pair[0], exponent, seed, ocpFp4) |
                        scaledDown<Wide>(pair[1], exponent, nextSeed(seed), ocpFp4) << 4);
}

template<class Wide>
ALWAYS_INLINE void pairFrom8(typename Wide::Bits* result, Word source, float scale, bool high,
                             const SmallFloat& format) {
    const Word two = halfAt(source, high);
    result[0] = Wide::rounded(scaledUp(two & 0xff, exponentOf(scale), format));
    result[1] = Wide::rounded(scaledUp(two >> 8, exponentOf(scale), format));
}
template<class Wide>
ALWAYS_INLINE void pairTo8(Word* result, Word old, typename Wide::Bits a, typename Wide::Bits b, float scale, bool high,
                           const SmallFloat& format) {
    const int exponent = exponentOf(scale);
    *result = withHalf(old, high, scaledDown<Wide>(a, exponent, format) | scaledDown<Wide>(b, exponent, format) << 8);
}

} // namespace

#define OF_8_BITS(NAME, FORMAT)                                                                                        \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_scalef32_f16_##NAME(std::uint16_t* result, const std::uint16_t* old,      \
                                                                 Word source, float scale, Word index, bool high) {    \
        const Word code = byteAt(source, index);                                                                       \
        const auto value = HalfFloat::rounded(scaledUp(code, exponentOf(scale), FORMAT));                              \
        const std::uint16_t kept = old[high ? 0 : 1];                                                                  \
        result[high ? 1 : 0] = value;                                                                                  \
        result[high ? 0 : 1] = kept;                                                                                   \
    }                                                                                                                  \
    DEVICE_FUNCTION float hipcpu_amdgcn_cvt_scalef32_f32_##NAME(Word source, float scale, Word index) {                \
        return scaledUp(byteAt(source, index), exponentOf(scale), FORMAT);                                             \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_scalef32_pk_##NAME##_f32(Word* result, const Word* old, float a, float b, \
                                                                      float scale, bool high) {                        \
        pairTo8<Single>(result, *old, bitsAs<Word>(a), bitsAs<Word>(b), scale, high, FORMAT);                          \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_scalef32_pk_##NAME##_f16(                                                 \
        Word* result, const Word* old, const std::uint16_t* pair, float scale, bool high) {                            \
        pairTo8<HalfFloat>(result, *old, pair[0], pair[1], scale, high, FORMAT);                                       \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_scalef32_pk_##NAME##_bf16(                                                \
        Word* result, const Word* old, const std::uint16_t* pair, float scale, bool high) {                            \
        pairTo8<Bfloat>(result, *old, pair[0], pair[1], scale, high, FORMAT);                                          \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_scalef32_pk_f32_##NAME(Word* result, Word source, float scale,            \
                                                                    bool high) {                                       \
        pairFrom8<Single>(result, source, scale, high, FORMAT);                                                        \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_scalef32_pk_f16_##NAME(std::uint16_t* result, Word source, float scale,   \
                                                                    bool high) {                                       \
        pairFrom8<HalfFloat>(result, source, scale, high, FORMAT);                                                     \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_scalef32_pk_bf16_##NAME(std::uint16_t* result, Word source, float scale,  \
                                                                     bool high) {                                      \
        pairFrom8<Bfloat>(result, source, scale, high, FORMAT);                                                        \
    }                                                                                                                  \
    DEVICE_FUNCTION Word hipcpu_amdgcn_cvt_scalef32_sr_##NAME##_f32(Word old, float value, Word seed, float scale,     \
                                                                    Word index) {                                      \
        const Word code = scaledDown<Single>(bitsAs<Word>(value), exponentOf(scale), seed, FORMAT);                    \
        return withByte(old, index, code);                                                                             \
    }                                                                                                                  \
    DEVICE_FUNCTION Word hipcpu_amdgcn_cvt_scalef32_sr_##NAME##_f16(Word old, Half value, Word seed, float scale,      \
                                                                    Word index) {                                      \
        const Word code = scaledDown<HalfFloat>(bitsAs<std::uint16_t>(value), exponentOf(scale), seed, FORMAT);        \
        return withByte(old, index, code);                                                                             \
    }                                                                                                                  \
    DEVICE_FUNCTION Word hipcpu_amdgcn_cvt_scalef32_sr_##NAME##_bf16(Word old, std::uint16_t value, Word seed,         \
                                                                     float scale, Word index) {                        \
        return withByte(old, index, scaledDown<Bfloat>(value, exponentOf(scale), seed, FORMAT));                       \
    }
OF_8_BITS(fp8, ocpFp8)
OF_8_BITS(bf8, ocpBf8)

#define OF_6_BITS(NAME, FORMAT)                                                                                        \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_scalef32_pk32_##NAME##_f16(Word* result, const std::uint16_t* values,     \
                                                                        float scale) {                                 \
        all32To6<HalfFloat>(result, values, scale, FORMAT);                                                            \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_scalef32_pk32_##NAME##_bf16(Word* result, const std::uint16_t* values,    \
                                                                         float scale) {                                \
        all32To6<Bfloat>(result, values, scale, FORMAT);                                                               \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_scalef32_2xpk16_##NAME##_f32(Word* result, const Word* even,              \
                                                                          const Word* odd, float scale) {              \
        Word packed[6] = {};                                                                                           \
        for (Word i = 0; i < elementsOf6; ++i) {                                                                       \
            const Word value = (i % 2 == 0 ? even : odd)[i / 2];                                                       \
            putSix(packed, i, scaledDown<Single>(value, exponentOf(scale), FORMAT));                                   \
        }                                                                                                              \
        __builtin_memcpy(result, packed, sizeof packed);                                                               \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_scalef32_pk32_f32_##NAME(Word* result, const Word* packed, float scale) { \
        all32From6<Single>(result, packed, scale, FORMAT);                                                             \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_scalef32_pk32_f16_##NAME(std::uint16_t* result, const Word* packed,       \
                                                                      float scale) {                                   \
        all32From6<HalfFloat>(result, packed, scale, FORMAT);                                                          \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_scalef32_pk32_bf16_##NAME(std::uint16_t* result, const Word* packed,      \
                                                                       float scale) {                                  \
        all32From6<Bfloat>(result, packed, scale, FORMAT);                                                             \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_scalef32_sr_pk32_##NAME##_f32(Word* result, const Word* values,           \
                                                                           Word seed, float scale) {                   \
        all32To6<Single>(result, values, seed, scale, FORMAT);                                                         \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_scalef32_sr_pk32_##NAME##_f16(Word* result, const std::uint16_t* values,  \
                                                                           Word seed, float scale) {                   \
        all32To6<HalfFloat>(result, values, seed, scale, FORMAT);                                                      \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_scalef32_sr_pk32_##NAME##_bf16(Word* result, const std::uint16_t* values, \
                                                                            Word seed, float scale) {                  \
        all32To6<Bfloat>(result, values, seed, scale, FORMAT);                                                         \
    }
OF_6_BITS(fp6, ocpFp6)
OF_6_BITS(bf6, ocpBf6)

DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_scalef32_pk_f32_fp4(Word* result, Word source, float scale, Word index) {
    pairFromFp4<Single>(result, source, scale, index);
}
DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_scalef32_pk_f16_fp4(std::uint16_t* result, Word source, float scale,
                                                             Word index) {
    pairFromFp4<HalfFloat>(result, source, scale, index);
}
DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_scalef32_pk_bf16_fp4(std::uint16_t* result, Word source, float scale,
                                                              Word index) {
    pairFromFp4<Bfloat>(result, source, scale, index);
}
DEVICE_FUNCTION Word hipcpu_amdgcn_cvt_scalef32_pk_fp4_f32(Word old, float a, float b, float scale, Word index) {
    return pairToFp4<Single>(old, bitsAs<Word>(a), bitsAs<Word>(b), scale, index);
}
DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_scalef32_pk_fp4_f16(Word* result, Word old, const std::uint16_t* pair,
                                                             float scale, Word index) {
    *result = pairToFp4<HalfFloat>(old, pair[0], pair[1], scale, index);
}
DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_scalef32_pk_fp4_bf16(Word* result, Word old, const std::uint16_t* pair,
                                                              float scale, Word index) {
    *result = pairToFp4<Bfloat>(old, pair[0], pair[1], scale, index);
}
DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_scalef32_sr_pk_fp4_f32(Word* result, Word old, const Word* pair, Word seed,
                                                                float scale, Word index) {
    *result = pairToFp4<Single>(old, pair, seed, scale, index);
}
DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_scalef32_sr_pk_fp4_f16(Word* result, Word old, const std::uint16_t* pair,
                                                                Word seed, float scale, Word index) {
    *result = pairToFp4<HalfFloat>(old, pair, seed, scale, index);
}
DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_scalef32_sr_pk_fp4_bf16(Word* result, Word old, const std::uint16_t* pair,
                                                                 Word seed, float scale, Word index) {
    *result = pairToFp4<Bfloat>(old, pair, seed, scale, index);
}

// f32 to f16 and bf16 by chance: the same rule, without a scale.
namespace {
constexpr SmallFloat stochasticF16{5, 10, 15, 0x7bff, 0x7c00, 0x7e00};
constexpr SmallFloat stochasticBf16{8, 7, 127, 0x7f7f, 0x7f80, 0x7fc0};
} // namespace
#define STOCHASTIC_16_BITS(NAME, FORMAT)                                                                               \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_sr_##NAME##_f32(std::uint16_t* result, const std::uint16_t* old,          \
                                                             float value, Word seed, bool high) {                      \
        const std::uint16_t kept = old[high ? 0 : 1];                                                                  \
        result[high ? 1 : 0] = static_cast<std::uint16_t>(scaledDown<Single>(bitsAs<Word>(value), 0, seed, FORMAT));   \
        result[high ? 0 : 1] = kept;                                                                                   \
    }
STOCHASTIC_16_BITS(f16, stochasticF16)
STOCHASTIC_16_BITS(bf16, stochasticBf16)
