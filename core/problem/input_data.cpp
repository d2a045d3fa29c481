// SPDX-License-Identifier: GPL-3.0-or-later
// Input values that a kernel cannot guess and that are the same on every machine.
//
// Every tensor is cut into pieces, and each piece draws its bits from a ChaCha20 stream of its own, so that all cores
// work at once and the result does not depend on how many there are. How bits become values is in
// drawn_values.cpp.
#include "core/problem/drawn_values.h"
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
constexpr std::int64_t runElements = 32;
// Zeros of small tensors (scales, biases) come one by one: a run or a slice would be most of the tensor, and a factor
// that is zero everywhere makes outputs that check nothing.
constexpr std::int64_t smallElements = 64 * runElements;
constexpr std::int64_t tinyElements = 8; // none at all
constexpr std::uint32_t quarter = 1U << 30;
static_assert(drawnPieceElements % drawnBlockElements == 0 && drawnBlockElements % runElements == 0);

// Streams of one tensor: pieces count up from 0, what belongs to slices and runs from here.
constexpr std::uint64_t structureStream = std::uint64_t{1} << 62;

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
    double scale;
    double offset;
    Distribution distribution;

    // At most a block of them.
    void draw(std::span<const std::uint32_t> words, std::span<double> values) const {
        if (distribution == Distribution::wideRange) {
            wideValues(words, smallestWideExponent(type), isSigned(), values);
        } else if (isSigned()) {
            normalValues(words, values);
        } else {
            uniformValues(words, values);
        }
        if (isInteger(type)) {
            std::ranges::for_each(values, [this](double& value) { value *= integerFactor(); });
        } else if (distribution != Distribution::wideRange && (scale != 1 || offset != 0)) {
            std::ranges::for_each(values, [this](double& value) { value = offset + scale * value; });
        }
    }

    bool isSigned() const { return fill == Fill::normal; } // before offset and scale
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

void fillWords(SeededStream& stream, std::span<std::uint32_t> words) {
    stream.fill(std::as_writable_bytes(words));
    if constexpr (std::endian::native == std::endian::big) {
        for (std::uint32_t& word : words) {
            word = __builtin_bswap32(word);
        }
    }
}

std::vector<std::uint32_t> structureWords(const Seed& seed, std::size_t count) {
    std::vector<std::uint32_t> words(count);
    SeededStream stream(seed, structureStream);
    fillWords(stream, words);
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
        const auto words = structureWords(seed, m_slices.size());
        std::size_t left = m_slices.size() / 2;
        for (std::size_t i = 0; i < m_slices.size() && left > 0; ++i) {
            m_slices[i] = words[i] < quarter;
            left -= m_slices[i] ? 1 : 0;
        }
    }

    std::int64_t runLength() const { return m_runElements; }

    // Of a block that begins with a run.
    void shape(std::span<const std::uint32_t> runWords, std::int64_t begin, std::span<double> values) const {
        const auto count = static_cast<std::int64_t>(values.size());
        const auto clear = [&values](std::int64_t from, std::int64_t to) {
            std::fill(values.begin() + from, values.begin() + to, 0.0);
        };
        for (std::int64_t at = 0; m_hasRuns && at < count; at += m_runElements) {
            if (runWords[static_cast<std::size_t>(at / m_runElements)] < quarter) {
                clear(at, std::min(count, at + m_runElements));
            }
        }
        for (std::int64_t at = 0; at < count;) {
            const std::int64_t slice = (begin + at) / m_sliceElements;
            const std::int64_t end = std::min(count, (slice + 1) * m_sliceElements - begin);
            if (m_slices[static_cast<std::size_t>(slice)]) {
                clear(at, end);
            }
            at = end;
        }
    }

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
        const auto words = structureWords(seed, 3);
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

    // Of a block that begins with a run.
    void shape(const Generator& generator, std::span<const std::uint32_t> runWords, std::int64_t begin,
               std::span<double> values) const {
        const auto count = static_cast<std::int64_t>(values.size());
        const std::array far = {farValue(generator, m_high, begin, values), farValue(generator, m_low, begin, values)};
        for (std::int64_t at = 0; at < count; at += runElements) {
            const std::int64_t run = at / runElements;
            const double scale = begin / runElements + run == m_run
                                     ? largestScale
                                     : extremeScale(runWords[static_cast<std::size_t>(run)]);
            for (std::int64_t i = at; i < std::min(count, at + runElements); ++i) {
                values[static_cast<std::size_t>(i)] *= scale;
            }
        }
        for (const auto& [element, value] : {std::pair(m_high, far[0]), std::pair(m_low, far[1])}) {
            if (value) {
                values[static_cast<std::size_t>(element - begin)] = *value;
            }
        }
    }

private:
    // What the element becomes, where it is among these.
    std::optional<double> farValue(const Generator& generator, std::int64_t element, std::int64_t begin,
                                   std::span<const double> values) const {
        if (element < begin || element >= begin + static_cast<std::int64_t>(values.size())) {
            return std::nullopt;
        }
        const double value = values[static_cast<std::size_t>(element - begin)];
        const double one = generator.integerFactor();
        const double far = generator.isSigned() ? 2 * one + std::abs(value) / 4 : (one + value) / 2;
        return generator.isSigned() && element == m_low ? -largestScale * far : largestScale * far;
    }

    std::int64_t m_high = -1;
    std::int64_t m_low = -1;
    std::int64_t m_run = -1;
};

// What a distribution has beside the single values; at most one of them.
struct Structure {
    std::optional<Zeros> zeros;
    std::optional<Outliers> outliers;
};

void fillPiece(const Generator& generator, const Structure& structure, const Seed& seed, Fp8Encoding encoding,
               std::int64_t begin, std::int64_t end, std::span<std::byte> bytes) {
    const auto piece = static_cast<std::uint64_t>(begin / drawnPieceElements);
    const bool inRuns = structure.zeros || structure.outliers;
    const std::int64_t runLength = structure.zeros ? structure.zeros->runLength() : runElements;
    SeededStream ofValues(seed, piece);
    SeededStream ofRuns(seed, structureStream + 1 + piece);
    // NOLINTBEGIN(cppcoreguidelines-pro-type-member-init): filled before they are read
    std::array<std::uint32_t, drawnBlockElements> wordRoom;
    std::array<std::uint32_t, drawnBlockElements> runRoom;
    std::array<double, drawnBlockElements> valueRoom;
    // NOLINTEND(cppcoreguidelines-pro-type-member-init)
    const std::size_t size = sizeBytes(generator.type);
    for (std::int64_t at = begin; at < end; at += drawnBlockElements) {
        const auto count = static_cast<std::size_t>(std::min(drawnBlockElements, end - at));
        const auto words = std::span(wordRoom).first(count);
        const auto values = std::span(valueRoom).first(count);
        fillWords(ofValues, words);
        generator.draw(words, values);
        if (inRuns) {
            const auto length = static_cast<std::size_t>(runLength);
            const auto runWords = std::span(runRoom).first((count + length - 1) / length);
            fillWords(ofRuns, runWords);
            if (structure.zeros) {
                structure.zeros->shape(runWords, at, values);
            } else {
                structure.outliers->shape(generator, runWords, at, values);
            }
        }
        encodeElements(generator.type, encoding, values,
                       bytes.subspan(static_cast<std::size_t>(at) * size, count * size));
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
    const Generator generator{tensor.type, tensor.fill, tensor.scale, tensor.offset, distribution};
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
    const Generator generator{tensor.type, tensor.fill, tensor.scale, tensor.offset, Distribution::asDeclared};
    const auto elements = static_cast<std::int64_t>(bytes.size() / sizeBytes(tensor.type));
    forRanges(elements, drawnPieceElements, [&](std::int64_t begin, std::int64_t end) {
        fillPiece(generator, {}, seed, encoding, begin, end, bytes);
    });
}

} // namespace gks
