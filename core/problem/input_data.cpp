// SPDX-License-Identifier: GPL-3.0-or-later
// Input values that a kernel cannot guess and that are the same on every machine.
//
// Every tensor is cut into pieces, and each piece draws its bits from a ChaCha20 stream of its own, so that all cores
// work at once and the result does not depend on how many there are. A normal value is the inverse of the normal
// distribution function at a 32-bit uniform number: a rational approximation (Wichura, algorithm AS 241, PPND7, about
// seven digits) that in its central part needs only + * and /. In the tails it needs a logarithm; the library's may
// differ in the last bit from machine to machine, so a short series stands here. This file is compiled without fused
// multiply-add for the same reason. Cost: about 10 ns per element and core.
#include "core/problem/element_codec.h"
#include "core/problem/expression.h"
#include "core/problem/parallel_ranges.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <vector>

namespace gks {
namespace {

constexpr std::int64_t drawnPieceElements = std::int64_t{1} << 16;
constexpr std::int64_t drawnBlockElements = 1024;
constexpr std::int64_t runElements = 32;
// Zeros of small tensors (scales, biases) come one by one: a run or a slice would be most of the tensor, and a factor
// that is zero everywhere makes outputs that check nothing.
constexpr std::int64_t smallElements = 64 * runElements;
constexpr std::int64_t tinyElements = 8; // none at all
constexpr std::uint32_t quarter = 1U << 30;
static_assert(drawnPieceElements % drawnBlockElements == 0 && drawnBlockElements % runElements == 0);

// Streams of one tensor: pieces count up from 0, what belongs to slices and runs from here.
constexpr std::uint64_t structureStream = std::uint64_t{1} << 62;

// log of a value in (0, 1]: value = m 2^e with m in [sqrt(1/2), sqrt(2)), then the series of the inverse hyperbolic
// tangent.
double naturalLogarithm(double value) {
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

double centralQuantile(double q) {
    const double r = 0.180625 - q * q;
    return q * (((59.109374720 * r + 159.29113202) * r + 50.434271938) * r + 3.3871327179) /
           (((67.187563600 * r + 78.757757664) * r + 17.895169469) * r + 1.0);
}

double tailQuantile(double q) {
    const double tail = 0.5 - std::abs(q);
    const double r = std::sqrt(-naturalLogarithm(tail)) - 1.6;
    const double magnitude = (((0.17023821103 * r + 1.3067284816) * r + 2.7568153900) * r + 1.4234372777) /
                             ((0.12021132975 * r + 0.73700164250) * r + 1.0);
    return q < 0 ? -magnitude : magnitude;
}

double uniformOf(std::uint32_t bits) {
    return (bits + 0.5) * 0x1p-32;
}

// Seven of eight values are central: all are computed as if they were, then the others once more, gathered, so that
// both loops go through without branches and vectorise.
void normalValues(std::span<const std::uint32_t> words, std::span<double> values) {
    std::array<double, drawnBlockElements>
        tails; // NOLINT(cppcoreguidelines-pro-type-member-init): written before they are read
    std::array<std::uint32_t, drawnBlockElements> places; // NOLINT(cppcoreguidelines-pro-type-member-init): likewise
    std::size_t count = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = centralQuantile(uniformOf(words[i]) - 0.5);
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double q = uniformOf(words[i]) - 0.5;
        tails[count] = q;
        places[count] = static_cast<std::uint32_t>(i);
        count += std::abs(q) > centralPart ? 1 : 0;
    }
    for (std::size_t i = 0; i < count; ++i) {
        tails[i] = tailQuantile(tails[i]);
    }
    for (std::size_t i = 0; i < count; ++i) {
        values[places[i]] = tails[i];
    }
}

// Exponents that wideRange spreads over, up to 2^2.
int smallestWideExponent(ElementType type) {
    switch (type) {
    case ElementType::fp8E4m3:
        return -9;
    case ElementType::fp8E5m2:
        return -16;
    case ElementType::f16:
        return -24;
    default:
        return isInteger(type) ? -4 : -30;
    }
}

// Both the exponent and the mantissa come from the same 32 bits: 8 for the exponent, 23 for the mantissa, 1 for the
// sign.
double wideValue(std::uint32_t bits, ElementType type, bool isSigned) {
    const int smallest = smallestWideExponent(type);
    const int exponents = 2 - smallest;
    const int exponent = smallest + static_cast<int>(((bits >> 24) * static_cast<unsigned>(exponents)) >> 8);
    const double magnitude = std::ldexp(1.0 + ((bits >> 1) & 0x7fffffU) * 0x1p-23, exponent);
    return isSigned && (bits & 1U) != 0 ? -magnitude : magnitude;
}

// P(2^s) for s = -2 ... 6 falls by 4 from each scale to the next, so that every scale carries the same share of the sum
// of squares.
constexpr double largestScale = 64;
constexpr std::int64_t fewestForLargeRun = 1 << 14;
double extremeScale(std::uint32_t bits) {
    const int rank = std::min(8, std::countl_zero(bits | 1U) / 2);
    return std::ldexp(largestScale, rank - 8);
}

struct Generator {
    ElementType type;
    Fill fill;
    Distribution distribution;

    // At most a block of them.
    void draw(std::span<const std::uint32_t> words, std::span<double> values) const {
        const bool isSigned = fill == Fill::normal;
        if (distribution == Distribution::wideRange) {
            std::transform(words.begin(), words.end(), values.begin(),
                           [&](std::uint32_t bits) { return wideValue(bits, type, isSigned); });
        } else if (isSigned) {
            normalValues(words, values);
        } else {
            std::transform(words.begin(), words.end(), values.begin(), uniformOf);
        }
    }

    // Whole numbers would be mostly -1, 0 and 1.
    double integerFactor() const { return isInteger(type) ? 16.0 : 1.0; }
};

// One seed per tensor, shape and distribution, so that no two inputs of an evaluation share values.
Seed derivedSeed(const Seed& seed, std::size_t tensorIndex, const Shape& shape, Distribution distribution) {
    std::string text(reinterpret_cast<const char*>(seed.data()), seed.size());
    text += fmt::format("input {} {} {}", tensorIndex, name(distribution), fmt::join(shape, ","));
    const std::string hex = sha256Hex(text);
    Seed result{};
    for (std::size_t i = 0; i < result.size(); ++i) {
        result[i] = static_cast<std::uint8_t>(std::stoi(hex.substr(2 * i, 2), nullptr, 16));
    }
    return result;
}

std::vector<std::uint32_t> randomWords(const Seed& seed, std::uint64_t stream, std::size_t count) {
    std::vector<std::uint32_t> words(count);
    SeededStream(seed, stream).fill(std::as_writable_bytes(std::span(words)));
    if constexpr (std::endian::native == std::endian::big) {
        for (std::uint32_t& word : words) {
            word = __builtin_bswap32(word);
        }
    }
    return words;
}

// Where the zeros of structuredZeros are: every fourth slice of the first extent on average but never more than half of
// them, and every fourth run of the rest.
class Zeros {
public:
    Zeros(const Seed& seed, std::int64_t elements, std::int64_t slices)
        : m_runElements(elements < smallElements ? 1 : runElements)
        , m_hasRuns(elements > tinyElements)
        , m_sliceElements(elements / slices)
        , m_slices(static_cast<std::size_t>(slices)) {
        const auto words = randomWords(seed, structureStream, m_slices.size());
        std::size_t left = m_slices.size() / 2;
        for (std::size_t i = 0; i < m_slices.size() && left > 0; ++i) {
            m_slices[i] = words[i] < quarter;
            left -= m_slices[i] ? 1 : 0;
        }
    }

    bool hasSlice(std::int64_t element) const { return m_slices[static_cast<std::size_t>(element / m_sliceElements)]; }
    std::int64_t runLength() const { return m_runElements; }
    bool hasRuns() const { return m_hasRuns; }

private:
    std::int64_t m_runElements;
    bool m_hasRuns;
    std::int64_t m_sliceElements;
    std::vector<bool> m_slices;
};

// What extremeScales has for certain, which by chance a small tensor would hardly ever meet: by itself one value at the
// far end of either sign, and one run at the largest scale where that leaves the root mean square near what is
// declared.
class Outliers {
public:
    Outliers(const Seed& seed, std::int64_t elements) {
        const auto words = randomWords(seed, structureStream, 3);
        const auto below = [](std::uint32_t word, std::int64_t limit) {
            return static_cast<std::int64_t>((std::uint64_t{word} * static_cast<std::uint64_t>(limit)) >> 32U);
        };
        if (elements > tinyElements) {
            m_high = below(words[0], elements);
            m_low = (m_high + 1 + below(words[1], elements - 1)) % elements;
        }
        if (elements >= fewestForLargeRun) {
            m_run = below(words[2], elements / runElements);
        }
    }

    double scaled(double value, std::int64_t element, std::uint32_t runWord, const Generator& generator) const {
        const bool isSigned = generator.fill == Fill::normal;
        const double one = generator.integerFactor();
        if (element == m_high || element == m_low) {
            const double far = isSigned ? 2 * one + std::abs(value) / 4 : (one + value) / 2;
            return isSigned && element == m_low ? -largestScale * far : largestScale * far;
        }
        return value * (element / runElements == m_run ? largestScale : extremeScale(runWord));
    }

private:
    std::int64_t m_high = -1;
    std::int64_t m_low = -1;
    std::int64_t m_run = -1;
};

// What a distribution has beside the single values; at most one of them.
struct Structure {
    std::optional<Zeros> zeros;
    std::optional<Outliers> outliers;
};

void shapeRuns(const Generator& generator, const Structure& structure, std::span<const std::uint32_t> runWords,
               std::int64_t begin, std::span<double> values) {
    const Zeros* const zeros = structure.zeros ? &*structure.zeros : nullptr;
    const auto runLength = static_cast<std::size_t>(zeros != nullptr ? zeros->runLength() : runElements);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint32_t word = runWords[i / runLength];
        if (structure.outliers) {
            values[i] = structure.outliers->scaled(values[i], begin + static_cast<std::int64_t>(i), word, generator);
        } else if ((zeros->hasRuns() && word < quarter) || zeros->hasSlice(begin + static_cast<std::int64_t>(i))) {
            values[i] = 0;
        }
    }
}

void fillPiece(const Generator& generator, const Structure& structure, const Seed& seed, Fp8Encoding encoding,
               std::int64_t begin, std::int64_t end, std::span<std::byte> bytes) {
    const auto piece = static_cast<std::uint64_t>(begin / drawnPieceElements);
    const bool inRuns = structure.zeros || structure.outliers;
    const auto words = randomWords(seed, piece, static_cast<std::size_t>(end - begin));
    const std::int64_t runLength = structure.zeros ? structure.zeros->runLength() : runElements;
    const auto runs = static_cast<std::size_t>((end - begin + runLength - 1) / runLength);
    const auto runWords = inRuns ? randomWords(seed, structureStream + 1 + piece, runs) : std::vector<std::uint32_t>();
    std::array<double, drawnBlockElements>
        block; // NOLINT(cppcoreguidelines-pro-type-member-init): filled before it is read
    const std::size_t size = sizeBytes(generator.type);
    const double factor = generator.integerFactor();
    for (std::int64_t at = 0; at < end - begin; at += drawnBlockElements) {
        const auto count = static_cast<std::size_t>(std::min(drawnBlockElements, end - begin - at));
        const std::span<double> values(block.data(), count);
        generator.draw(std::span(words).subspan(static_cast<std::size_t>(at), count), values);
        for (double& value : values) {
            value *= factor;
        }
        if (inRuns) {
            shapeRuns(generator, structure, std::span(runWords).subspan(static_cast<std::size_t>(at / runLength)),
                      begin + at, values);
        }
        encodeElements(generator.type, encoding, values,
                       bytes.subspan(static_cast<std::size_t>(begin + at) * size, count * size));
    }
}

bool isConstant(const TensorSpec& tensor) {
    return tensor.fill == Fill::zeros || tensor.fill == Fill::ones;
}

void fillConstant(const TensorSpec& tensor, Fp8Encoding encoding, std::span<std::byte> bytes) {
    const std::size_t size = sizeBytes(tensor.type);
    const auto elements = static_cast<std::int64_t>(bytes.size() / size);
    const std::vector<double> constant(static_cast<std::size_t>(std::min(elements, drawnPieceElements)),
                                       tensor.fill == Fill::ones);
    forRanges(elements, drawnPieceElements, [&](std::int64_t begin, std::int64_t end) {
        const auto count = static_cast<std::size_t>(end - begin);
        encodeElements(tensor.type, encoding, std::span(constant).first(count),
                       bytes.subspan(static_cast<std::size_t>(begin) * size, count * size));
    });
}

} // namespace

std::string_view name(Distribution distribution) {
    static constexpr std::array<std::string_view, 4> names = {"as declared", "wide range", "structured zeros",
                                                              "extreme scales"};
    return names[static_cast<std::size_t>(distribution)];
}

Result<void> fillTensor(const ProblemPack& pack, std::size_t tensorIndex, const Shape& shape, const Seed& seed,
                        Distribution distribution, Fp8Encoding encoding, std::span<std::byte> bytes) {
    if (tensorIndex >= pack.tensors.size()) {
        return usageError(fmt::format("tensor {} of {} does not exist", tensorIndex, pack.tensors.size()), pack.name);
    }
    const TensorSpec& tensor = pack.tensors[tensorIndex];
    GKS_TRY_ASSIGN(const std::int64_t elements, pack.elementCount(tensor, shape));
    if (bytes.size() != static_cast<std::size_t>(elements) * sizeBytes(tensor.type)) {
        return usageError(fmt::format("tensor {} of shape {} has {} elements of {} bytes, the buffer {} bytes",
                                      tensor.name, pack.shapeLabel(shape), elements, sizeBytes(tensor.type),
                                      bytes.size()),
                          pack.name);
    }
    if (isConstant(tensor)) {
        fillConstant(tensor, encoding, bytes);
        return {};
    }
    const Seed own = derivedSeed(seed, tensorIndex, shape, distribution);
    Structure structure;
    if (distribution == Distribution::extremeScales) {
        structure.outliers.emplace(own, elements);
    } else if (distribution == Distribution::structuredZeros) {
        const std::int64_t firstExtent =
            tensor.extents.size() > 1 ? *evaluateExtent(tensor.extents.front(), pack.namedShape(shape)) : 1;
        structure.zeros.emplace(own, elements, firstExtent);
    }
    const Generator generator{tensor.type, tensor.fill, distribution};
    forRanges(elements, drawnPieceElements, [&](std::int64_t begin, std::int64_t end) {
        fillPiece(generator, structure, own, encoding, begin, end, bytes);
    });
    return {};
}

void fillValues(const TensorSpec& tensor, const Seed& seed, Fp8Encoding encoding, std::span<std::byte> bytes) {
    if (isConstant(tensor)) {
        fillConstant(tensor, encoding, bytes);
        return;
    }
    const Generator generator{tensor.type, tensor.fill, Distribution::asDeclared};
    const auto elements = static_cast<std::int64_t>(bytes.size() / sizeBytes(tensor.type));
    forRanges(elements, drawnPieceElements, [&](std::int64_t begin, std::int64_t end) {
        fillPiece(generator, {}, seed, encoding, begin, end, bytes);
    });
}

} // namespace gks
