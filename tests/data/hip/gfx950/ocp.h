// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The small floats of the OCP specifications (8-bit Floating Point 1.0, Microscaling Formats 1.0) on the host, in
// double: decoded by the definition, encoded by a search among all codes. It shares nothing with what it checks.

#include <cmath>
#include <cstdint>
#include <limits>

namespace ocp {

struct Format {
    int exponentBits, mantissaBits, bias;
    bool hasNan, hasInfinity;
    int bits() const { return 1 + exponentBits + mantissaBits; }
    unsigned codes() const { return 1u << bits(); }
    unsigned signBit() const { return codes() / 2; }
};
inline constexpr Format e4m3{4, 3, 7, true, false}, e5m2{5, 2, 15, true, true}, e2m3{2, 3, 1, false, false},
    e3m2{3, 2, 3, false, false}, e2m1{2, 1, 1, false, false};
inline constexpr Format formats[] = {e4m3, e5m2, e2m3, e3m2, e2m1}; // as f8f6f4 instructions number them

inline double decode(unsigned code, const Format& f) {
    const int exponent = static_cast<int>(code >> f.mantissaBits) & ((1 << f.exponentBits) - 1);
    const int mantissa = static_cast<int>(code) & ((1 << f.mantissaBits) - 1);
    const double sign = (code & f.signBit()) != 0 ? -1 : 1;
    const bool top = exponent == (1 << f.exponentBits) - 1;
    if (f.hasInfinity && top) {
        return mantissa == 0 ? sign * INFINITY : std::copysign(NAN, sign);
    }
    if (f.hasNan && top && mantissa == (1 << f.mantissaBits) - 1) {
        return std::copysign(NAN, sign);
    }
    const double fraction = std::ldexp(mantissa, -f.mantissaBits);
    return sign * (exponent == 0 ? std::ldexp(fraction, 1 - f.bias) : std::ldexp(1 + fraction, exponent - f.bias));
}

inline unsigned largest(const Format& f) {
    unsigned code = f.signBit() - 1;
    while (!std::isfinite(decode(code, f))) {
        --code;
    }
    return code;
}

// What is beyond, without saturation where there is anything else.
inline double beyond(const Format& f) {
    return f.hasInfinity ? INFINITY : f.hasNan ? NAN : decode(largest(f), f);
}

// The value that `value` becomes, to nearest, ties to the even code.
inline double nearest(double value, const Format& f) {
    if (std::isnan(value)) {
        return f.hasNan ? value : std::copysign(decode(largest(f), f), value);
    }
    const double size = std::fabs(value);
    const unsigned top = largest(f);
    const double step = decode(top, f) - decode(top - 1, f);
    const double limit = decode(top, f) + step / 2; // what lies beyond would round to a code that there is not
    if (size > limit || (size == limit && top % 2 != 0)) {
        return std::copysign(1.0, value) * beyond(f);
    }
    unsigned best = 0;
    for (unsigned code = 1; code <= top; ++code) {
        const double closer = std::fabs(decode(code, f) - size) - std::fabs(decode(best, f) - size);
        if (closer < 0 || (closer == 0 && code % 2 == 0)) {
            best = code;
        }
    }
    return std::copysign(decode(best, f), value);
}

// Stochastic: the seed's top bits, as many as a mantissa of `mantissaBits` has more than the format's, are added right
// below what is kept; what a subnormal result has fewer is cut off before.
inline double stochastic(double value, unsigned seed, int mantissaBits, const Format& f) {
    if (std::isnan(value)) {
        return nearest(value, f);
    }
    if (std::isinf(value)) {
        return std::copysign(1.0, value) * beyond(f);
    }
    if (value == 0) {
        return value;
    }
    const int cut = mantissaBits - f.mantissaBits;
    const int exponent = std::max(std::ilogb(value), 1 - f.bias);
    const double step = std::ldexp(1.0, exponent - f.mantissaBits);
    const double share = std::floor(std::ldexp(std::fabs(value) / step, cut)); // whole: it fits 24 bits
    const double kept = std::floor(std::ldexp(share + (seed >> (32 - cut)), -cut)) * step;
    return std::copysign(1.0, value) * (kept > decode(largest(f), f) ? beyond(f) : kept);
}

// A scale of e8m0.
inline double scale(unsigned code) {
    return code == 0xff ? NAN : std::ldexp(1.0, static_cast<int>(code) - 127);
}

inline bool same(double a, double b) {
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

// Bits of a row of small elements, the first in the lowest.
template<class Word>
unsigned element(const Word* words, unsigned index, int bits) {
    unsigned code = 0;
    for (int b = 0; b < bits; ++b) {
        const unsigned at = index * bits + b;
        code |= (words[at / 32] >> at % 32 & 1u) << b;
    }
    return code;
}
template<class Word>
void setElement(Word* words, unsigned index, int bits, unsigned code) {
    for (int b = 0; b < bits; ++b) {
        const unsigned at = index * bits + b;
        words[at / 32] = (words[at / 32] & ~(1u << at % 32)) | (code >> b & 1u) << at % 32;
    }
}

} // namespace ocp
