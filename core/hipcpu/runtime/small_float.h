// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <bit>
#include <cstdint>

// The small floats of gfx950: OCP 8-bit Floating Point (e4m3, e5m2) and OCP Microscaling Formats 1.0 (e2m3, e3m2, e2m1,
// and scales in e8m0). Conversions as the CDNA4 ISA has them (7.3, Table 30, and the notes behind Table 32) in the mode
// that a kernel starts with: what e4m3 and e5m2 cannot hold becomes NaN or infinity; the others have neither and take
// their largest value. Stochastic rounding adds the seed's top bits right below the bits that are kept, behind the
// shift of a subnormal result, and cuts off; ROCm's host code (amd_hip_ocp_host.hpp) does the same.
namespace gks::hipcpu {

struct SmallFloat {
    int exponentBits;
    int mantissaBits;
    int bias;
    std::uint32_t largest;  // code of the largest finite value
    std::uint32_t overflow; // of what is beyond, and of infinity
    std::uint32_t nan;

    constexpr std::uint32_t signBit() const { return 1u << (exponentBits + mantissaBits); }
    constexpr int bits() const { return 1 + exponentBits + mantissaBits; }
};
inline constexpr SmallFloat ocpFp8{4, 3, 7, 0x7e, 0x7f, 0x7f};
inline constexpr SmallFloat ocpBf8{5, 2, 15, 0x7b, 0x7c, 0x7e};
inline constexpr SmallFloat ocpFp6{2, 3, 1, 0x1f, 0x1f, 0x1f};
inline constexpr SmallFloat ocpBf6{3, 2, 3, 0x1f, 0x1f, 0x1f};
inline constexpr SmallFloat ocpFp4{2, 1, 1, 0x07, 0x07, 0x07};

// What a value is converted from.
struct WideFloat {
    int exponentBits;
    int mantissaBits;
};
inline constexpr WideFloat wideF32{8, 23};
inline constexpr WideFloat wideF16{5, 10};
inline constexpr WideFloat wideBf16{8, 7};

// The exponent that a scale in e8m0 stands for; of the scale 0xff, which is NaN, noScale.
inline constexpr int noScale = 1 << 20;
constexpr int exponentOfScale(std::uint32_t code) {
    return (code & 0xff) == 0xff ? noScale : static_cast<int>(code & 0xff) - 127;
}

constexpr float powerOfTwo(int exponent) { // from -126 to 127
    return std::bit_cast<float>(static_cast<std::uint32_t>(127 + exponent) << 23);
}

constexpr float decodeSmall(std::uint32_t code, const SmallFloat& format) {
    const std::uint32_t magnitude = code & (format.signBit() - 1);
    const std::uint32_t sign = (code & format.signBit()) != 0 ? 0x80000000u : 0;
    if (magnitude > format.largest) {
        const bool isInfinity = magnitude == format.overflow && format.overflow != format.nan;
        return std::bit_cast<float>((isInfinity ? 0x7f800000u : 0x7fc00000u) | sign);
    }
    const std::uint32_t fraction = magnitude & ((1u << format.mantissaBits) - 1);
    const int exponent = static_cast<int>(magnitude >> format.mantissaBits);
    const std::uint32_t significand = exponent != 0 ? fraction | (1u << format.mantissaBits) : fraction;
    const float size = static_cast<float>(significand) *
                       powerOfTwo((exponent != 0 ? exponent : 1) - format.bias - format.mantissaBits);
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(size) | sign);
}

// `bits` are of the wide format; the value is divided by 2^scale first. With a seed: stochastic.
template<bool isStochastic>
constexpr std::uint32_t encodeSmall(std::uint32_t bits, const WideFloat& from, int scale, std::uint32_t seed,
                                    const SmallFloat& to) {
    const std::uint32_t sign = (bits >> (from.exponentBits + from.mantissaBits) & 1u) != 0 ? to.signBit() : 0;
    const std::uint32_t field = bits >> from.mantissaBits & ((1u << from.exponentBits) - 1);
    std::uint32_t significand = bits & ((1u << from.mantissaBits) - 1);
    const bool isSpecial = field == (1u << from.exponentBits) - 1;
    if (scale == noScale || (isSpecial && significand != 0)) {
        return to.nan | sign;
    }
    if (isSpecial) {
        return to.overflow | sign;
    }
    if (field == 0 && significand == 0) {
        return sign;
    }
    int exponent = static_cast<int>(field) - ((1 << (from.exponentBits - 1)) - 1);
    if (field == 0) { // subnormal: brought to the form of the others
        const int missing = from.mantissaBits + 1 - static_cast<int>(std::bit_width(significand));
        significand <<= missing;
        exponent += 1 - missing;
    } else {
        significand |= 1u << from.mantissaBits;
    }
    exponent -= scale;
    if (exponent + to.bias > (1 << to.exponentBits) - 1) {
        return to.overflow | sign;
    }
    const int smallest = 1 - to.bias;
    const int lost = exponent < smallest ? smallest - exponent : 0; // bits that a subnormal result has fewer
    const int cut = from.mantissaBits - to.mantissaBits;
    std::uint32_t kept = 0;
    if constexpr (isStochastic) {
        const std::uint32_t aligned = lost > from.mantissaBits ? 0 : significand >> lost;
        kept = (aligned + (seed >> (32 - cut))) >> cut;
    } else if (cut + lost <= from.mantissaBits + 1) { // else less than half of the smallest
        const int shift = cut + lost;
        kept = (significand + (1u << (shift - 1)) - 1 + (significand >> shift & 1u)) >> shift;
    }
    // The hidden bit counts as one step of the exponent; a carry is another.
    const std::uint32_t code =
        lost != 0 ? kept : (static_cast<std::uint32_t>(exponent + to.bias - 1) << to.mantissaBits) + kept;
    return (code > to.largest ? to.overflow : code) | sign;
}

constexpr std::uint32_t encodeSmallNearest(float value, int scale, const SmallFloat& to) {
    return encodeSmall<false>(std::bit_cast<std::uint32_t>(value), wideF32, scale, 0, to);
}

// As v_prng_b32: the seed of the next element.
constexpr std::uint32_t nextSeed(std::uint32_t seed) {
    return seed << 1 ^ (seed >> 31 != 0 ? 197u : 0u);
}

template<std::size_t codes>
constexpr std::array<float, codes> smallFloatTable(const SmallFloat& format) {
    std::array<float, codes> table{};
    for (std::uint32_t code = 0; code < codes; ++code) {
        table[code] = decodeSmall(code, format);
    }
    return table;
}

} // namespace gks::hipcpu
