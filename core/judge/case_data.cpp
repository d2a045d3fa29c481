// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/case_data.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

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
                      : fmt::format("{} byte{} overwritten, the nearest {} byte{} {}", count, count == 1 ? "" : "s",
                                    first, first == 1 ? "" : "s", after ? "past the end of" : "before the start of");
}

} // namespace

std::vector<std::span<const std::byte>> views(const Tensors& tensors) {
    return {tensors.begin(), tensors.end()};
}

Result<CaseLayout> layoutOf(const ProblemPack& pack, const Shape& shape) {
    if (pack.tensors.size() > runner::tensorLimit || pack.dims.size() > runner::dimLimit) {
        return usageError(
            fmt::format("a problem may have {} tensors and {} dims", runner::tensorLimit, runner::dimLimit), pack.name);
    }
    CaseLayout layout;
    layout.shape = shape;
    std::size_t offset = 0;
    for (const TensorSpec& tensor : pack.tensors) {
        GKS_TRY_ASSIGN(const std::int64_t elements, pack.elementCount(tensor, shape));
        const std::size_t bytes = static_cast<std::size_t>(elements) * sizeBytes(tensor.type);
        layout.elements.push_back(elements);
        layout.places.push_back({offset, bytes, tensor.role == TensorRole::output ? 1U : 0U, 0});
        offset += roundedUp(bytes) + 2 * runner::guardBytes;
    }
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

InputPool::InputPool(const ProblemPack& pack)
    : m_values(pack.tensors.size()), m_stream(std::make_unique<SeededStream>(randomSeed(), 0)) {
    for (const TensorSpec& tensor : pack.tensors) {
        m_elementBytes.push_back(sizeBytes(tensor.type));
    }
}

Result<InputPool> InputPool::draw(const ProblemPack& pack, const CaseLayout& layout, Fp8Encoding encoding) {
    InputPool pool(pack);
    for (int half = 0; half < 2; ++half) {
        GKS_TRY_ASSIGN(const Tensors inputs,
                       drawInputs(pack, layout, randomSeed(), Distribution::asDeclared, encoding));
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            pool.m_values[i].insert(pool.m_values[i].end(), inputs[i].begin(), inputs[i].end());
        }
    }
    return pool;
}

std::uint64_t InputPool::below(std::uint64_t limit) {
    std::uint64_t random = 0;
    m_stream->fill(std::as_writable_bytes(std::span(&random, 1)));
    return random % limit;
}

void InputPool::next(Tensors& into) {
    into.resize(m_values.size());
    for (std::size_t i = 0; i < m_values.size(); ++i) {
        const std::size_t bytes = m_values[i].size() / 2;
        into[i].resize(bytes);
        if (bytes > 0) {
            const std::size_t first = below(bytes / m_elementBytes[i] + 1) * m_elementBytes[i];
            std::memcpy(into[i].data(), m_values[i].data() + first, bytes);
        }
    }
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

void CaseImages::writeSurroundings(const CaseLayout& layout, std::span<std::byte> segment) const {
    for (std::size_t i = 0; i < layout.places.size(); ++i) {
        const runner::Place& place = layout.places[i];
        const auto whole = segment.subspan(place.offset, place.dataBytes + 2 * runner::guardBytes);
        std::memcpy(whole.data(), m_guard.data(), m_guard.size());
        std::memcpy(whole.data() + m_guard.size() + place.dataBytes, m_guard.data(), m_guard.size());
        if (place.isOutput != 0) {
            const std::vector<std::byte> poison = poisonFor(m_pack.tensors[i].type);
            for (std::size_t at = 0; at < place.dataBytes; at += poison.size()) {
                std::memcpy(whole.data() + m_guard.size() + at, poison.data(), poison.size());
            }
        }
    }
}

void CaseImages::writeInputs(const CaseLayout& layout, const Tensors& inputs, std::span<std::byte> segment) const {
    for (std::size_t i = 0; i < layout.places.size(); ++i) {
        if (layout.places[i].isOutput == 0) {
            std::memcpy(segment.data() + layout.places[i].offset + m_guard.size(), inputs[i].data(), inputs[i].size());
        }
    }
}

std::string CaseImages::damagedGuards(const CaseLayout& layout, bool hasWorkspace,
                                      std::span<const std::byte> segment) const {
    const auto check = [&](std::size_t before, std::size_t after, const std::string& name) {
        std::string text = damage(segment.subspan(before, m_guard.size()), m_guard, false);
        if (text.empty()) {
            text = damage(segment.subspan(after, m_guard.size()), m_guard, true);
        }
        return text.empty() ? text : text + " " + name;
    };
    for (std::size_t i = 0; i < layout.places.size(); ++i) {
        const runner::Place& place = layout.places[i];
        std::string text = check(place.offset, place.offset + m_guard.size() + place.dataBytes, m_pack.tensors[i].name);
        if (!text.empty()) {
            return text;
        }
    }
    return hasWorkspace ? check(layout.workspaceOffset, layout.workspaceOffset + m_guard.size(), "the workspace")
                        : std::string();
}

std::string CaseImages::changedInputs(const CaseLayout& layout, const Tensors& inputs,
                                      std::span<const std::byte> segment) const {
    for (std::size_t i = 0; i < layout.places.size(); ++i) {
        const runner::Place& place = layout.places[i];
        if (place.isOutput == 0 &&
            std::memcmp(segment.data() + place.offset + m_guard.size(), inputs[i].data(), inputs[i].size()) != 0) {
            return fmt::format("the kernel changed its input {}", m_pack.tensors[i].name);
        }
    }
    return {};
}

} // namespace gks
