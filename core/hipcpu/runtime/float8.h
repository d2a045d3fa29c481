// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <bit>
#include <cstdint>

// The 8-bit floats of gfx942, in FNUZ encoding: no infinity, no negative zero, 0x80 is the one NaN.
// fp8 is e4m3 with bias 8 (largest 240), bf8 is e5m2 with bias 16 (largest 57344).

namespace gks::hipcpu {

struct Float8Format {
    int mantissaBits;
    int bias;
};
inline constexpr Float8Format fp8Format{3, 8};
inline constexpr Float8Format bf8Format{2, 16};

constexpr float decodeFloat8(std::uint8_t code, Float8Format format) {
    if (code == 0x80) {
        return std::bit_cast<float>(0x7fc00000u);
    }
    const int exponent = (code & 0x7f) >> format.mantissaBits;
    const int fraction = code & ((1 << format.mantissaBits) - 1);
    const int significand = exponent ? fraction | (1 << format.mantissaBits) : fraction;
    const int scale = (exponent ? exponent : 1) - format.bias - format.mantissaBits;
    const float power = std::bit_cast<float>(static_cast<std::uint32_t>(127 + scale) << 23);
    const float magnitude = static_cast<float>(significand) * power;
    return code & 0x80 ? -magnitude : magnitude;
}

// The significand of |value| shifted so that `format` keeps all but the lowest `droppedBits` of it, and the exponent
// field that goes with it. Gradual underflow is a larger shift at exponent field 1.
struct Float8Scaled {
    std::uint32_t significand;
    int droppedBits;
    int exponentField;
};
constexpr Float8Scaled scaleForFloat8(std::uint32_t magnitudeBits, Float8Format format) {
    const int exponent = static_cast<int>(magnitudeBits >> 23) - 127;
    const int droppedBits = 23 - format.mantissaBits;
    const int field = exponent + format.bias;
    const std::uint32_t significand = (magnitudeBits & 0x7fffffu) | 0x800000u;
    return field >= 1 ? Float8Scaled{significand, droppedBits, field}
                      : Float8Scaled{significand, droppedBits + 1 - field, 1};
}

constexpr std::uint8_t assembleFloat8(bool negative, std::uint32_t kept, int exponentField, Float8Format format) {
    constexpr std::uint8_t nan = 0x80;
    if (kept == 0) {
        return 0; // there is no negative zero
    }
    // Adding the kept significand, hidden bit included, to the exponent field carries over by itself. Below the
    // smallest normal number the hidden bit is missing, which is exponent field 0.
    const std::uint32_t code = (static_cast<std::uint32_t>(exponentField - 1) << format.mantissaBits) + kept;
    return code > 0x7f ? nan : static_cast<std::uint8_t>(code | (negative ? 0x80u : 0u));
}

constexpr bool becomesFloat8Nan(std::uint32_t magnitudeBits) {
    return magnitudeBits >= 0x7f800000u; // infinities and NaN
}

// As v_cvt_pk_fp8_f32 and v_cvt_pk_bf8_f32 in the mode that a kernel starts with: to nearest, ties to even; what is too
// large becomes NaN. (Code that wants saturation clamps before, as HIP's own types do.)
constexpr std::uint8_t encodeFloat8(float value, Float8Format format) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    if (becomesFloat8Nan(magnitude)) {
        return 0x80;
    }
    const Float8Scaled scaled = scaleForFloat8(magnitude, format);
    if (scaled.droppedBits > 24) {
        return 0; // less than half of the smallest number
    }
    const std::uint32_t half = 1u << (scaled.droppedBits - 1);
    const std::uint32_t lowest = scaled.significand >> scaled.droppedBits & 1u;
    const std::uint32_t kept = (scaled.significand + half - 1 + lowest) >> scaled.droppedBits;
    return assembleFloat8(bits >> 31, kept, scaled.exponentField, format);
}

// As v_cvt_sr_fp8_f32 and v_cvt_sr_bf8_f32: the top bits of `random` are added below the kept significand, which is cut
// off.
constexpr std::uint8_t encodeFloat8Stochastic(float value, std::uint32_t random, Float8Format format) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    if (becomesFloat8Nan(magnitude)) {
        return 0x80;
    }
    const Float8Scaled scaled = scaleForFloat8(magnitude, format);
    if (scaled.droppedBits > 31 || magnitude < 0x00800000u) {
        return 0;
    }
    const std::uint32_t kept = (scaled.significand + (random >> (32 - scaled.droppedBits))) >> scaled.droppedBits;
    return assembleFloat8(bits >> 31, kept, scaled.exponentField, format);
}

constexpr std::array<float, 256> float8Table(Float8Format format) {
    std::array<float, 256> table{};
    for (unsigned code = 0; code < table.size(); ++code) {
        table[code] = decodeFloat8(static_cast<std::uint8_t>(code), format);
    }
    return table;
}

} // namespace gks::hipcpu
