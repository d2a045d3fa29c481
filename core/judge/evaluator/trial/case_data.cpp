// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/case_data.h"

#include "core/base/counted.h"
#include "core/judge/evaluator/trial/byte_ranges.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <utility>

namespace gks {
namespace {

constexpr std::size_t noiseBytes = 8;

std::size_t roundedUp(std::size_t value) {
    return (value + runner::guardBytes - 1) / runner::guardBytes * runner::guardBytes;
}

// "3 bytes", counted from the side that faces the data.
std::string damage(std::span<const std::byte> band, std::span<const std::byte> expected, bool after) {
    std::size_t first = band.size();
    std::size_t count = 0;
    for (std::size_t i = 0; i < band.size(); ++i) {
        if (band[i] != expected[i]) {
            const std::size_t distance = after ? i : band.size() - i;
            first = std::min(first, distance);
            ++count;
        }
    }
    return count == 0 ? std::string()
                      : fmt::format("{} overwritten, the nearest {} {}", counted(count, "byte"), counted(first, "byte"),
                                    after ? "past the end of" : "before the start of");
}

} // namespace

std::vector<std::span<const std::byte>> views(const Tensors& tensors) {
    return {tensors.begin(), tensors.end()};
}

Result<CaseLayout> layoutOf(const ProblemPack& pack, const Shape& shape, std::size_t times) {
    if (pack.tensors.size() > runner::tensorLimit || pack.dims.size() > runner::dimLimit) {
        return usageError(
            fmt::format("a problem can have at most {} tensors and {} dims", runner::tensorLimit, runner::dimLimit),
            pack.name);
    }
    CaseLayout layout;
    layout.shape = shape;
    std::size_t offset = 0;
    std::size_t inputOffset = runner::guardOffset + runner::guardBytes;
    std::array<std::uint64_t, 2> next = {runner::inputArea, runner::outputArea};
    const auto reserve = [&inputOffset](std::size_t bytes) {
        return std::exchange(inputOffset, inputOffset + roundedUp(bytes));
    };
    for (const TensorSpec& tensor : pack.tensors) {
        GKS_TRY_ASSIGN(const std::int64_t elements, pack.elementCount(tensor, shape));
        runner::Place place;
        place.offset = offset;
        place.dataBytes = static_cast<std::size_t>(elements) * sizeBytes(tensor.type);
        place.isOutput = tensor.role == TensorRole::output ? 1U : 0U;
        place.address = next.at(place.isOutput) + runner::guardBytes;
        next.at(place.isOutput) = runner::nextOnDevice(place.address, place.dataBytes);
        place.sourceBytes = place.isOutput != 0 ? runner::poisonBytes : times * place.dataBytes;
        place.sourceOffset = reserve(place.sourceBytes);
        place.pieceOffset = reserve(place.isOutput != 0 ? 0 : runner::heldBytesLimit);
        layout.elements.push_back(elements);
        layout.places.push_back(place);
        offset += roundedUp(place.dataBytes) + 2 * runner::guardBytes;
    }
    layout.inputBytes = inputOffset;
    layout.workspaceOffset = offset;
    layout.totalBytes = offset + 2 * runner::guardBytes;
    return layout;
}

Result<Tensors> drawInputs(const ProblemPack& pack, const CaseLayout& layout, const Seed& seed,
                           Distribution distribution, Fp8Encoding encoding) {
    Tensors inputs(pack.tensors.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (pack.tensors[i].role == TensorRole::input) {
            inputs[i].resize(layout.places[i].dataBytes);
            GKS_TRY(fillTensor(pack, i, layout.shape, seed, distribution, encoding, inputs[i]));
        }
    }
    return inputs;
}

CaseImages::CaseImages(const ProblemPack& pack, Fp8Encoding encoding)
    : m_pack(pack), m_encoding(encoding), m_guard(runner::guardBytes), m_noise(noiseBytes) {
    SeededStream stream(randomSeed(), 0);
    stream.fill(m_guard);
    stream.fill(m_noise);
}

std::vector<std::byte> CaseImages::poisonFor(ElementType type) const {
    const std::size_t size = sizeBytes(type);
    switch (type) {
    case ElementType::fp8E4m3:
    case ElementType::fp8E5m2:
        return {m_encoding == Fp8Encoding::fnuz ? std::byte{0x80} : std::byte{0x7f}};
    case ElementType::f16:
    case ElementType::bf16:
    case ElementType::f32:
    case ElementType::f64:
        return std::vector<std::byte>(size, std::byte{0xff});
    case ElementType::i8:
    case ElementType::i32:
    case ElementType::u32:
    case ElementType::i64:
        break;
    }
    return {m_noise.begin(), m_noise.begin() + static_cast<std::ptrdiff_t>(size)};
}

void CaseImages::writePatterns(const CaseLayout& layout, std::span<std::byte> segment) const {
    std::memcpy(segment.data() + runner::guardOffset, m_guard.data(), m_guard.size());
    for (std::size_t i = 0; i < layout.places.size(); ++i) {
        const runner::Place& place = layout.places[i];
        if (place.isOutput != 0) {
            const std::vector<std::byte> poison = poisonFor(m_pack.tensors[i].type);
            for (std::size_t at = 0; at < place.sourceBytes; at += poison.size()) {
                std::memcpy(segment.data() + place.sourceOffset + at, poison.data(), poison.size());
            }
        }
    }
}

std::string CaseImages::damagedGuards(const CaseLayout& layout, bool hasWorkspace,
                                      std::span<const std::byte> segment) const {
    const auto check = [&](std::size_t before, std::size_t after, std::size_t afterBytes, const std::string& name) {
        std::string text = damage(segment.subspan(before, m_guard.size()), m_guard, false);
        if (text.empty()) {
            text = damage(segment.subspan(after, afterBytes), m_guard, true);
        }
        return text.empty() ? text : text + " " + name;
    };
    for (std::size_t i = 0; i < layout.places.size(); ++i) {
        const runner::Place& place = layout.places[i];
        std::string text = check(place.offset, place.offset + m_guard.size() + place.dataBytes, place.bandBehindBytes,
                                 m_pack.tensors[i].name);
        if (!text.empty()) {
            return text;
        }
    }
    return hasWorkspace
               ? check(layout.workspaceOffset, layout.workspaceOffset + m_guard.size(), m_guard.size(), "the workspace")
               : std::string();
}

std::string CaseImages::changedInputs(const CaseLayout& layout, const Tensors& inputs,
                                      std::span<const std::byte> segment) const {
    for (std::size_t i = 0; i < layout.places.size(); ++i) {
        const runner::Place& place = layout.places[i];
        if (place.isOutput == 0 &&
            !sameBytes(segment.subspan(place.offset + m_guard.size(), inputs[i].size()), inputs[i])) {
            return fmt::format("the kernel changed its input {}", m_pack.tensors[i].name);
        }
    }
    return {};
}

} // namespace gks
