// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/runtime/device/device.h"
#include "core/hipcpu/runtime/float8.h"
#include "core/hipcpu/runtime/small_float.h"

using namespace gks::hipcpu;
using namespace gks::hipcpu::device;

namespace {

// One byte of a word, counted from the least significant.
ALWAYS_INLINE std::uint8_t byteOf(Word value, Word index) {
    return static_cast<std::uint8_t>(value >> (8 * (index & 3)));
}

ALWAYS_INLINE Word withByte(Word old, Word index, std::uint8_t byte) {
    const Word shift = 8 * (index & 3);
    return (old & ~(Word{0xff} << shift)) | Word{byte} << shift;
}

ALWAYS_INLINE Word withHalf(Word old, bool high, Word half) {
    return high ? (old & 0xffff) | half << 16 : (old & 0xffff0000) | half;
}

ALWAYS_INLINE Half towardZero(float value) {
    const auto nearest = static_cast<Half>(value);
    auto bits = bitsAs<std::uint16_t>(nearest);
    const float back = static_cast<float>(nearest);
    // The next smaller magnitude is one code below, also from infinity to the largest finite value.
    if (__builtin_fabsf(back) > __builtin_fabsf(value)) {
        --bits;
    }
    return bitsAs<Half>(bits);
}

ALWAYS_INLINE std::int16_t clampTo16(float value, float least, float most) {
    const float clamped = __builtin_fminf(__builtin_fmaxf(value, least), most);
    return static_cast<std::int16_t>(static_cast<std::int32_t>(clamped));
}

} // namespace

#define FLOAT8_CONVERSIONS(NAME, FORMAT)                                                                               \
    DEVICE_FUNCTION float hipcpu_amdgcn_cvt_f32_##NAME(Word value, Word index) {                                       \
        return decodeFloat8(byteOf(value, index), FORMAT);                                                             \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_pk_f32_##NAME(float* result, Word value, bool high) {                     \
        const Word first = high ? 2 : 0;                                                                               \
        result[0] = decodeFloat8(byteOf(value, first), FORMAT);                                                        \
        result[1] = decodeFloat8(byteOf(value, first + 1), FORMAT);                                                    \
    }                                                                                                                  \
    DEVICE_FUNCTION Word hipcpu_amdgcn_cvt_pk_##NAME##_f32(float a, float b, Word old, bool high) {                    \
        return withHalf(old, high, encodeFloat8(a, FORMAT) | Word{encodeFloat8(b, FORMAT)} << 8);                      \
    }                                                                                                                  \
    DEVICE_FUNCTION Word hipcpu_amdgcn_cvt_sr_##NAME##_f32(float value, Word random, Word old, Word index) {           \
        return withByte(old, index, encodeFloat8Stochastic(value, random, FORMAT));                                    \
    }
FLOAT8_CONVERSIONS(fp8, fp8Format)
FLOAT8_CONVERSIONS(bf8, bf8Format)

// The same instructions of gfx950 (see device_calls.cpp).
#define OCP_CONVERSIONS(NAME, FORMAT)                                                                                  \
    DEVICE_FUNCTION float hipcpu_amdgcn_cvt_f32_##NAME##_ocp(Word value, Word index) {                                 \
        return decodeSmall(byteOf(value, index), FORMAT);                                                              \
    }                                                                                                                  \
    DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_pk_f32_##NAME##_ocp(float* result, Word value, bool high) {               \
        const Word first = high ? 2 : 0;                                                                               \
        result[0] = decodeSmall(byteOf(value, first), FORMAT);                                                         \
        result[1] = decodeSmall(byteOf(value, first + 1), FORMAT);                                                     \
    }                                                                                                                  \
    DEVICE_FUNCTION Word hipcpu_amdgcn_cvt_pk_##NAME##_f32_ocp(float a, float b, Word old, bool high) {                \
        return withHalf(old, high, encodeSmallNearest(a, 0, FORMAT) | encodeSmallNearest(b, 0, FORMAT) << 8);          \
    }                                                                                                                  \
    DEVICE_FUNCTION Word hipcpu_amdgcn_cvt_sr_##NAME##_f32_ocp(float value, Word random, Word old, Word index) {       \
        const Word code = encodeSmall<true>(bitsAs<Word>(value), wideF32, 0, random, FORMAT);                          \
        return withByte(old, index, static_cast<std::uint8_t>(code));                                                  \
    }
OCP_CONVERSIONS(fp8, ocpFp8)
OCP_CONVERSIONS(bf8, ocpBf8)

DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_pkrtz(Half* result, float a, float b) {
    result[0] = towardZero(a);
    result[1] = towardZero(b);
}

DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_pknorm_i16(std::int16_t* result, float a, float b) {
    result[0] = clampTo16(__builtin_rintf(a * 32767.0f), -32767.0f, 32767.0f);
    result[1] = clampTo16(__builtin_rintf(b * 32767.0f), -32767.0f, 32767.0f);
}
DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_pknorm_u16(std::int16_t* result, float a, float b) {
    result[0] = clampTo16(__builtin_rintf(a * 65535.0f), 0.0f, 65535.0f);
    result[1] = clampTo16(__builtin_rintf(b * 65535.0f), 0.0f, 65535.0f);
}
DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_pk_i16(std::int16_t* result, std::int32_t a, std::int32_t b) {
    result[0] = static_cast<std::int16_t>(a < -32768 ? -32768 : a > 32767 ? 32767 : a);
    result[1] = static_cast<std::int16_t>(b < -32768 ? -32768 : b > 32767 ? 32767 : b);
}
DEVICE_FUNCTION void hipcpu_v_amdgcn_cvt_pk_u16(std::uint16_t* result, Word a, Word b) {
    result[0] = static_cast<std::uint16_t>(a > 65535 ? 65535 : a);
    result[1] = static_cast<std::uint16_t>(b > 65535 ? 65535 : b);
}
DEVICE_FUNCTION Word hipcpu_amdgcn_cvt_pk_u8_f32(float value, Word index, Word old) {
    const float clamped = __builtin_fminf(__builtin_fmaxf(__builtin_rintf(value), 0.0f), 255.0f);
    return withByte(old, index, static_cast<std::uint8_t>(clamped));
}
DEVICE_FUNCTION Half __ocml_cvtrtz_f16_f32(float value) {
    return towardZero(value);
}
DEVICE_FUNCTION Half __ocml_cvtrtn_f16_f32(float value) {
    const Half inward = towardZero(value);
    const bool lower = value < 0 && static_cast<float>(inward) != value;
    return lower ? bitsAs<Half>(static_cast<std::uint16_t>((bitsAs<std::uint16_t>(inward) | 0x8000) + 1)) : inward;
}
DEVICE_FUNCTION Half __ocml_cvtrtp_f16_f32(float value) {
    const Half inward = towardZero(value);
    const bool higher = value > 0 && static_cast<float>(inward) != value;
    return higher ? bitsAs<Half>(static_cast<std::uint16_t>(bitsAs<std::uint16_t>(inward) + 1)) : inward;
}
