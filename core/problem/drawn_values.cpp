// SPDX-License-Identifier: GPL-3.0-or-later
// A normal value is the inverse of the normal distribution function at a 32-bit uniform number: a rational
// approximation (Wichura, algorithm AS 241, PPND7, about seven digits) that in its central part needs only + * and /.
// In the tails it needs a logarithm; the library's may differ in the last bit from machine to machine, so a short
// series stands here. This file is compiled without fused multiply-add for the same reason. Cost: some nanoseconds per
// element and core.
#include "core/problem/drawn_values.h"

#include "core/problem/vector_clones.h"

#include <array>
#include <bit>
#include <cmath>

namespace gks {
namespace {

// log of a value in (0, 1]: value = m 2^e with m in [sqrt(1/2), sqrt(2)), then the series of the inverse hyperbolic
// tangent.
GKS_VECTOR_PART double naturalLogarithm(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const double fraction = std::bit_cast<double>((bits & 0x000fffffffffffffU) | 0x3fe0000000000000U); // in [1/2, 1)
    const bool isSmall = fraction < 0.70710678118654752;
    const double mantissa = isSmall ? 2 * fraction : fraction;
    const int exponent = static_cast<int>(bits >> 52) - 1022 - (isSmall ? 1 : 0);
    const double s = (mantissa - 1) / (mantissa + 1);
    const double square = s * s;
    double sum = 1.0 / 15;
    sum = sum * square + 1.0 / 13;
    sum = sum * square + 1.0 / 11;
    sum = sum * square + 1.0 / 9;
    sum = sum * square + 1.0 / 7;
    sum = sum * square + 1.0 / 5;
    sum = sum * square + 1.0 / 3;
    sum = sum * square + 1.0;
    return 2 * s * sum + exponent * 0.69314718055994531;
}

constexpr double centralPart = 0.425;

GKS_VECTOR_PART double centralQuantile(double q) {
    const double r = 0.180625 - q * q;
    return q * (((59.109374720 * r + 159.29113202) * r + 50.434271938) * r + 3.3871327179) /
           (((67.187563600 * r + 78.757757664) * r + 17.895169469) * r + 1.0);
}

GKS_VECTOR_PART double tailQuantile(double q) {
    const double tail = 0.5 - std::abs(q);
    const double r = std::sqrt(-naturalLogarithm(tail)) - 1.6;
    const double magnitude = (((0.17023821103 * r + 1.3067284816) * r + 2.7568153900) * r + 1.4234372777) /
                             ((0.12021132975 * r + 0.73700164250) * r + 1.0);
    return q < 0 ? -magnitude : magnitude;
}

GKS_VECTOR_PART double uniformOf(std::uint32_t bits) {
    return (bits + 0.5) * 0x1p-32;
}

} // namespace

GKS_VECTOR_CLONES void uniformValues(std::span<const std::uint32_t> words, std::span<double> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = uniformOf(words[i]);
    }
}

// Seven of eight values are central: all are computed as if they were, then the others once more, gathered, so that
// both loops go through without branches and vectorise.
GKS_VECTOR_CLONES void normalValues(std::span<const std::uint32_t> words, std::span<double> values) {
    std::array<double, drawnBlockElements>
        tails; // NOLINT(cppcoreguidelines-pro-type-member-init): written before they are read
    std::array<std::uint32_t, drawnBlockElements> places; // NOLINT(cppcoreguidelines-pro-type-member-init): likewise
    std::size_t count = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = centralQuantile(uniformOf(words[i]) - 0.5);
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        places[count] = static_cast<std::uint32_t>(i);
        count += std::abs(uniformOf(words[i]) - 0.5) > centralPart ? 1 : 0;
    }
    for (std::size_t i = 0; i < count; ++i) {
        tails[i] = tailQuantile(uniformOf(words[places[i]]) - 0.5);
    }
    for (std::size_t i = 0; i < count; ++i) {
        values[places[i]] = tails[i];
    }
}

// Both the exponent and the mantissa come from the same 32 bits: 8 for the exponent, 23 for the mantissa, 1 for the
// sign.
GKS_VECTOR_CLONES void wideValues(std::span<const std::uint32_t> words, int smallestExponent, bool isSigned,
                                  std::span<double> values) {
    const auto exponents = static_cast<std::uint32_t>(2 - smallestExponent);
    const auto lowest = static_cast<std::uint64_t>(1023 + smallestExponent);
    const std::uint64_t sign = isSigned ? 1 : 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint32_t bits = words[i];
        const std::uint64_t exponent = lowest + (((bits >> 24) * exponents) >> 8);
        const std::uint64_t mantissa = (bits >> 1) & 0x7fffffU;
        values[i] = std::bit_cast<double>((bits & sign) << 63 | exponent << 52 | mantissa << 29);
    }
}

} // namespace gks
