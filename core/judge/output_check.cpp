// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/output_check.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr double cheapFlops = 4e8; // a fraction of a second of the reference
constexpr std::int64_t sampleCount =
    4096; // a wrong region of 0.1 % of the elements escapes with probability 0.999^4096 = 1.7 %
constexpr std::int64_t chunkElements = std::int64_t{1} << 22;

} // namespace

bool OutputCheck::isCheap(const CaseLayout& layout) const {
    const auto flops = m_pack.flops(layout.shape);
    return flops && *flops <= cheapFlops;
}

Result<OutputCheck::Outcome> OutputCheck::check(const CaseLayout& layout, const Tensors& inputs,
                                                std::span<const std::byte> outputs, bool everything) const {
    GKS_TRY_ASSIGN(const auto expected, m_reference->prepare(layout.shape, views(inputs), m_encoding));
    Outcome outcome;
    for (std::size_t i = 0; i < layout.places.size(); ++i) {
        if (layout.places[i].isOutput == 0) {
            continue;
        }
        const auto bytes = outputs.subspan(layout.places[i].offset + runner::guardBytes, layout.places[i].dataBytes);
        GKS_TRY_ASSIGN(const Comparison one,
                       checkTensor(*expected, i, layout.elements[i], bytes, everything || isCheap(layout)));
        if (!one.ok() && outcome.text.empty()) {
            outcome.text = fmt::format("{}: {}", m_pack.tensors[i].name, one.text());
        }
        outcome.comparison += one;
    }
    return outcome;
}

Result<Comparison> OutputCheck::checkTensor(const ExpectedOutputs& expected, std::size_t tensor, std::int64_t elements,
                                            std::span<const std::byte> bytes, bool everything) const {
    const ElementType type = m_pack.tensors[tensor].type;
    const std::size_t size = sizeBytes(type);
    Comparison total;
    if (everything || elements <= sampleCount) {
        for (std::int64_t begin = 0; begin < elements; begin += chunkElements) {
            const std::int64_t end = std::min(elements, begin + chunkElements);
            GKS_TRY_ASSIGN(const std::vector<double> values, expected.range(tensor, begin, end));
            const auto part =
                bytes.subspan(static_cast<std::size_t>(begin) * size, static_cast<std::size_t>(end - begin) * size);
            total += compare(values, part, type, m_encoding, m_pack.tolerance, begin);
        }
        return total;
    }
    std::vector<std::uint64_t> random(static_cast<std::size_t>(sampleCount));
    SeededStream(randomSeed(), 0).fill(std::as_writable_bytes(std::span(random)));
    std::vector<std::int64_t> indices;
    for (const std::uint64_t value : random) {
        indices.push_back(static_cast<std::int64_t>(value % static_cast<std::uint64_t>(elements)));
    }
    indices.front() = 0;
    indices.back() = elements - 1;
    GKS_TRY_ASSIGN(const std::vector<double> values, expected.at(tensor, indices));
    std::vector<std::byte> gathered(indices.size() * size);
    for (std::size_t i = 0; i < indices.size(); ++i) {
        std::memcpy(gathered.data() + i * size, bytes.data() + static_cast<std::size_t>(indices[i]) * size, size);
    }
    total = compare(values, gathered, type, m_encoding, m_pack.tolerance, 0);
    if (total.firstIndex >= 0) {
        total.firstIndex = indices[static_cast<std::size_t>(total.firstIndex)];
    }
    return total;
}

} // namespace gks
