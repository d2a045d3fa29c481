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

constexpr std::array<float, 256> float8Table(Float8Format format) {
    std::array<float, 256> table{};
    for (unsigned code = 0; code < table.size(); ++code) {
        table[code] = decodeFloat8(static_cast<std::uint8_t>(code), format);
    }
    return table;
}

} // namespace gks::hipcpu
