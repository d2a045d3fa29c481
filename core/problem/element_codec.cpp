// SPDX-License-Identifier: GPL-3.0-or-later
// The element types and their bits.
//
// The small floating-point types differ in four numbers: mantissa bits, exponent bias, largest code, and what the codes
// beyond it mean. Encoding rounds a double to nearest, ties to even: the mantissa is cut off the double's bits with the
// usual carry trick for normal numbers, and subnormal ones are rounded as multiples of the smallest step; a carry into
// the exponent gives the right code by itself. Decoding of the 8-bit types is a table of 256 values per encoding, made
// once by the same description.
#include "core/problem/element_codec.h"

#include "core/problem/vector_clones.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace gks {
namespace {

struct SmallFloat {
    int bits;
    int mantissaBits;
    int bias;
    std::uint32_t largestCode;  // of a finite positive number
    std::uint32_t infinityCode; // what overflow and infinity become: largestCode where the type saturates
    std::uint32_t nanCode;
    bool negativeZero;
    bool hasInfinity;
};

constexpr SmallFloat e4m3Fnuz{8, 3, 8, 0x7f, 0x7f, 0x80, false, false};
constexpr SmallFloat e4m3Ocp{8, 3, 7, 0x7e, 0x7e, 0x7f, true, false};
constexpr SmallFloat e5m2Fnuz{8, 2, 16, 0x7f, 0x7f, 0x80, false, false};
constexpr SmallFloat e5m2Ocp{8, 2, 15, 0x7b, 0x7b, 0x7f, true, true};
constexpr SmallFloat half{16, 10, 15, 0x7bff, 0x7c00, 0x7e00, true, true};
constexpr SmallFloat bfloat{16, 7, 127, 0x7f7f, 0x7f80, 0x7fc0, true, true};

const SmallFloat& formatOf(ElementType type, Fp8Encoding encoding) {
    const bool fnuz = encoding == Fp8Encoding::fnuz;
    switch (type) {
    case ElementType::fp8E4m3:
        return fnuz ? e4m3Fnuz : e4m3Ocp;
    case ElementType::fp8E5m2:
        return fnuz ? e5m2Fnuz : e5m2Ocp;
    case ElementType::f16:
        return half;
    default:
        return bfloat;
    }
}

double decodeSmall(const SmallFloat& format, std::uint32_t code) {
    const std::uint32_t signMask = 1U << (format.bits - 1);
    const std::uint32_t magnitude = code & (signMask - 1);
    const double sign = (code & signMask) != 0 ? -1.0 : 1.0;
    if ((!format.negativeZero && code == signMask) || (magnitude > format.largestCode)) {
        const bool infinite = format.hasInfinity && magnitude == format.largestCode + 1;
        return infinite ? sign * std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    }
    const auto exponent = static_cast<int>(magnitude >> format.mantissaBits);
    const std::uint32_t mantissa = magnitude & ((1U << format.mantissaBits) - 1);
    const std::uint32_t significand = exponent == 0 ? mantissa : mantissa | (1U << format.mantissaBits);
    return sign * std::ldexp(significand, std::max(exponent, 1) - format.bias - format.mantissaBits);
}

// Without branches that depend on the value, so that loops over many values vectorise.
GKS_VECTOR_PART std::uint32_t encodeSmall(const SmallFloat& format, double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const std::uint64_t magnitude = bits & ~(std::uint64_t{1} << 63);
    const std::uint64_t sign = bits >> 63 << (format.bits - 1);
    const int smallestExponent = 1 - format.bias;
    const int cut = 52 - format.mantissaBits;
    const std::uint64_t rounding = (std::uint64_t{1} << (cut - 1)) - 1 + ((magnitude >> cut) & 1U);
    const std::uint64_t normal =
        ((magnitude + rounding) >> cut) - (static_cast<std::uint64_t>(1023 - format.bias) << format.mantissaBits);
    // Below the normal numbers steps are even: adding 2^52 leaves their number, rounded, in the low bits.
    const double steps =
        std::bit_cast<double>(magnitude) *
        std::bit_cast<double>(static_cast<std::uint64_t>(1023 + format.mantissaBits - smallestExponent) << 52);
    const std::uint64_t subnormal = std::bit_cast<std::uint64_t>(steps + 0x1p52) & ((std::uint64_t{1} << 52) - 1);
    const std::uint64_t smallestNormal = static_cast<std::uint64_t>(1023 + smallestExponent) << 52;
    const std::uint64_t rounded = magnitude >= smallestNormal ? normal : subnormal;
    const std::uint64_t code = rounded > format.largestCode ? format.infinityCode : rounded;
    const std::uint64_t number = code == 0 && !format.negativeZero ? 0 : sign | code;
    return static_cast<std::uint32_t>(magnitude > (std::uint64_t{0x7ff} << 52) ? format.nanCode : number);
}

using Fp8Table = std::array<float, 256>;

Fp8Table makeTable(const SmallFloat& format) {
    Fp8Table table{};
    for (std::uint32_t code = 0; code < table.size(); ++code) {
        table[code] = static_cast<float>(decodeSmall(format, code));
    }
    return table;
}

const Fp8Table& fp8Table(ElementType type, Fp8Encoding encoding) {
    static const std::array<Fp8Table, 4> tables = {makeTable(e4m3Fnuz), makeTable(e4m3Ocp), makeTable(e5m2Fnuz),
                                                   makeTable(e5m2Ocp)};
    return tables[(type == ElementType::fp8E5m2 ? 2U : 0U) + (encoding == Fp8Encoding::ocp ? 1U : 0U)];
}

template<class T>
T load(const std::byte* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

template<class T>
T converted(double value) {
    if constexpr (std::is_integral_v<T>) {
        const double low = static_cast<double>(std::numeric_limits<T>::lowest());
        const double high = static_cast<double>(std::numeric_limits<T>::max());
        if (std::isnan(value)) {
            return 0;
        }
        if (value >= high) {
            return std::numeric_limits<T>::max(); // for 64 bits `high` itself is already out of range
        }
        return value <= low ? std::numeric_limits<T>::lowest() : static_cast<T>(std::nearbyint(value));
    } else {
        return static_cast<T>(value);
    }
}

template<class T>
void decodeAs(std::span<const std::byte> bytes, std::span<double> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<double>(load<T>(bytes.data() + i * sizeof(T)));
    }
}

template<class T>
GKS_VECTOR_PART void encodeAs(std::span<const double> values, std::span<std::byte> bytes) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        const T element = converted<T>(values[i]);
        std::memcpy(bytes.data() + i * sizeof(T), &element, sizeof element);
    }
}

template<class Code>
GKS_VECTOR_PART void encodeSmallAs(const SmallFloat& format, std::span<const double> values,
                                   std::span<std::byte> bytes) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto code = static_cast<Code>(encodeSmall(format, values[i]));
        std::memcpy(bytes.data() + i * sizeof(Code), &code, sizeof code);
    }
}

GKS_VECTOR_CLONES void encodeSingle(std::span<const double> values, std::span<std::byte> bytes) {
    encodeAs<float>(values, bytes);
}

GKS_VECTOR_CLONES void encodeHalf(std::span<const double> values, std::span<std::byte> bytes) {
    encodeSmallAs<std::uint16_t>(half, values, bytes);
}

GKS_VECTOR_CLONES void encodeBfloat(std::span<const double> values, std::span<std::byte> bytes) {
    encodeSmallAs<std::uint16_t>(bfloat, values, bytes);
}

GKS_VECTOR_CLONES void encodeFp8(const SmallFloat& format, std::span<const double> values, std::span<std::byte> bytes) {
    const SmallFloat own = format; // `bytes` could be anything's
    encodeSmallAs<std::uint8_t>(own, values, bytes);
}

void decodeBfloat(std::span<const std::byte> bytes, std::span<double> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint32_t bits = static_cast<std::uint32_t>(load<std::uint16_t>(bytes.data() + i * 2)) << 16;
        values[i] = static_cast<double>(std::bit_cast<float>(bits));
    }
}

} // namespace

std::size_t sizeBytes(ElementType type) {
    switch (type) {
    case ElementType::fp8E4m3:
    case ElementType::fp8E5m2:
    case ElementType::i8:
        return 1;
    case ElementType::f16:
    case ElementType::bf16:
        return 2;
    case ElementType::f32:
    case ElementType::i32:
    case ElementType::u32:
        return 4;
    case ElementType::f64:
    case ElementType::i64:
        return 8;
    }
    return 0;
}

std::string_view name(ElementType type) {
    static constexpr std::array<std::string_view, 10> names = {"fp8_e4m3", "fp8_e5m2", "f16", "bf16", "f32",
                                                               "f64",      "i8",       "i32", "u32",  "i64"};
    return names[static_cast<std::size_t>(type)];
}

std::optional<ElementType> elementTypeFromName(std::string_view text) {
    for (int i = 0; i <= static_cast<int>(lastElementType); ++i) {
        if (name(static_cast<ElementType>(i)) == text) {
            return static_cast<ElementType>(i);
        }
    }
    return std::nullopt;
}

std::string_view arithmeticName(ElementType type) {
    return type == ElementType::fp8E4m3   ? "fp8"
           : type == ElementType::fp8E5m2 ? "bf8"
           : isInteger(type)              ? std::string_view()
                                          : name(type);
}

bool isFp8(ElementType type) {
    return type == ElementType::fp8E4m3 || type == ElementType::fp8E5m2;
}

bool isInteger(ElementType type) {
    return type == ElementType::i8 || type == ElementType::i32 || type == ElementType::u32 || type == ElementType::i64;
}

double largestValue(ElementType type, Fp8Encoding encoding) {
    switch (type) {
    case ElementType::f32:
        return static_cast<double>(std::numeric_limits<float>::max());
    case ElementType::f64:
        return std::numeric_limits<double>::max();
    case ElementType::i8:
        return std::numeric_limits<std::int8_t>::max();
    case ElementType::i32:
        return std::numeric_limits<std::int32_t>::max();
    case ElementType::u32:
        return std::numeric_limits<std::uint32_t>::max();
    case ElementType::i64:
        return static_cast<double>(std::numeric_limits<std::int64_t>::max());
    default:
        break;
    }
    const SmallFloat& format = formatOf(type, encoding);
    return decodeSmall(format, format.largestCode);
}

void decodeFp8(ElementType type, Fp8Encoding encoding, std::span<const std::byte> bytes, std::span<float> values) {
    const Fp8Table& table = fp8Table(type, encoding);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = table[std::to_integer<std::size_t>(bytes[i])];
    }
}

void decodeElements(ElementType type, Fp8Encoding encoding, std::span<const std::byte> bytes,
                    std::span<double> values) {
    switch (type) {
    case ElementType::fp8E4m3:
    case ElementType::fp8E5m2: {
        const Fp8Table& table = fp8Table(type, encoding);
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = static_cast<double>(table[std::to_integer<std::size_t>(bytes[i])]);
        }
        return;
    }
    case ElementType::f16:
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = decodeSmall(half, load<std::uint16_t>(bytes.data() + i * 2));
        }
        return;
    case ElementType::bf16:
        return decodeBfloat(bytes, values);
    case ElementType::f32:
        return decodeAs<float>(bytes, values);
    case ElementType::f64:
        return decodeAs<double>(bytes, values);
    case ElementType::i8:
        return decodeAs<std::int8_t>(bytes, values);
    case ElementType::i32:
        return decodeAs<std::int32_t>(bytes, values);
    case ElementType::u32:
        return decodeAs<std::uint32_t>(bytes, values);
    case ElementType::i64:
        return decodeAs<std::int64_t>(bytes, values);
    }
}

void encodeElements(ElementType type, Fp8Encoding encoding, std::span<const double> values,
                    std::span<std::byte> bytes) {
    switch (type) {
    case ElementType::fp8E4m3:
    case ElementType::fp8E5m2:
        return encodeFp8(formatOf(type, encoding), values, bytes);
    case ElementType::f16:
        return encodeHalf(values, bytes);
    case ElementType::bf16:
        return encodeBfloat(values, bytes);
    case ElementType::f32:
        return encodeSingle(values, bytes);
    case ElementType::f64:
        return encodeAs<double>(values, bytes);
    case ElementType::i8:
        return encodeAs<std::int8_t>(values, bytes);
    case ElementType::i32:
        return encodeAs<std::int32_t>(values, bytes);
    case ElementType::u32:
        return encodeAs<std::uint32_t>(values, bytes);
    case ElementType::i64:
        return encodeAs<std::int64_t>(values, bytes);
    }
}

double decodeElement(ElementType type, Fp8Encoding encoding, const std::byte* at) {
    double value = 0;
    decodeElements(type, encoding, {at, sizeBytes(type)}, {&value, 1});
    return value;
}

void encodeElement(ElementType type, Fp8Encoding encoding, double value, std::byte* at) {
    encodeElements(type, encoding, {&value, 1}, {at, sizeBytes(type)});
}

} // namespace gks
