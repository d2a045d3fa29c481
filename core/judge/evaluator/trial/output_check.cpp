// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/output_check.h"

#include "core/judge/evaluator/trial/byte_ranges.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr double cheapFlops = 4e8; // a fraction of a second of the reference
constexpr std::int64_t cheapElements = std::int64_t{1} << 20;
constexpr std::int64_t keptElements = std::int64_t{1} << 24; // 128 MB of expected values
constexpr std::int64_t chunkElements = std::int64_t{1} << 22;
constexpr std::size_t edgeShare = 32; // of the drawn elements, for either end of an extent
constexpr std::size_t probeRuns = 3;  // a reference that needs the whole of a row needs it once for each
constexpr std::int64_t probeRunElements = 16;

// The elements from each of these on.
void makeRuns(std::vector<std::int64_t>& indices, std::int64_t elements, std::int64_t run) {
    const std::size_t count = indices.size();
    for (std::int64_t step = 1; step < run; ++step) {
        for (std::size_t i = 0; i < count; ++i) {
            indices.push_back(std::min(indices[i] + step, elements - 1));
        }
    }
    std::sort(indices.begin(), indices.end());
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
}

// Elements drawn evenly, and some of the first and the last slice along every extent, where tails of tiles lie: of a
// large output an even draw would hardly meet a single wrong column. Distinct, in order.
std::vector<std::int64_t> drawnIndices(std::span<const std::int64_t> extents, std::int64_t elements,
                                       std::size_t count) {
    const std::size_t ofEdge = count / edgeShare;
    std::vector<std::uint64_t> random(count + 2 * ofEdge * extents.size());
    SeededStream(randomSeed(), 0).fill(std::as_writable_bytes(std::span(random)));
    std::vector<std::int64_t> indices = {0, elements - 1};
    indices.reserve(random.size() + 2);
    for (const std::uint64_t value : random) {
        indices.push_back(static_cast<std::int64_t>(value % static_cast<std::uint64_t>(elements)));
    }
    auto edge = indices.begin() + 2 + static_cast<std::ptrdiff_t>(count);
    std::int64_t stride = elements;
    for (const std::int64_t extent : extents) {
        stride /= extent;
        for (const std::int64_t at : {std::int64_t{0}, extent - 1}) {
            for (std::size_t i = 0; i < ofEdge; ++i, ++edge) {
                *edge += (at - *edge / stride % extent) * stride;
            }
        }
    }
    std::sort(indices.begin(), indices.end());
    indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
    return indices;
}

} // namespace

OutputCheck::Selection OutputCheck::select(const CaseLayout& layout, bool everything, std::size_t samples,
                                           std::int64_t run) const {
    const auto flops = m_pack.flops(layout.shape);
    Selection selection(layout.places.size());
    for (std::size_t i = 0; i < selection.size(); ++i) {
        const std::int64_t elements = layout.elements[i];
        const bool isCheap = flops && *flops <= cheapFlops && elements <= cheapElements;
        if (layout.places[i].isOutput != 0 && !everything && !isCheap &&
            elements > static_cast<std::int64_t>(samples)) {
            const auto extents = m_pack.extents(m_pack.tensors[i], layout.shape);
            selection[i] =
                drawnIndices(extents ? std::span<const std::int64_t>(*extents) : std::span<const std::int64_t>(),
                             elements, samples / static_cast<std::size_t>(run));
            makeRuns(*selection[i], elements, run);
        }
    }
    return selection;
}

OutputCheck::Selection OutputCheck::probes(const CaseLayout& layout) const {
    Selection selection(layout.places.size());
    std::array<std::uint64_t, probeRuns> random = {};
    SeededStream stream(randomSeed(), 0);
    for (std::size_t i = 0; i < selection.size(); ++i) {
        const std::int64_t elements = layout.elements[i];
        const std::int64_t length = std::min(elements, probeRunElements);
        if (layout.places[i].isOutput == 0) {
            continue;
        }
        stream.fill(std::as_writable_bytes(std::span(random)));
        std::vector<std::int64_t> indices;
        for (const std::uint64_t number : random) {
            const auto begin = static_cast<std::int64_t>(number % static_cast<std::uint64_t>(elements - length + 1));
            for (std::int64_t at = begin; at < begin + length; ++at) {
                indices.push_back(at);
            }
        }
        std::sort(indices.begin(), indices.end());
        indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
        selection[i] = std::move(indices);
    }
    return selection;
}

std::size_t OutputCheck::Expected::sizeBytes() const {
    std::size_t bytes = 0;
    for (const auto* of : {&values, &magnitudes}) {
        for (const auto& tensor : *of) {
            bytes += tensor.size() * sizeof(double);
        }
    }
    return bytes;
}

std::vector<OutputCoverage> OutputCheck::coverage(const CaseLayout& layout, const Selection& selection) const {
    std::vector<OutputCoverage> coverage;
    for (std::size_t i = 0; i < selection.size(); ++i) {
        if (layout.places[i].isOutput != 0) {
            const std::int64_t elements = layout.elements[i];
            coverage.push_back({m_pack.tensors[i].name,
                                selection[i] ? static_cast<std::int64_t>(selection[i]->size()) : elements, elements});
        }
    }
    return coverage;
}

Result<OutputCheck::Expected> OutputCheck::expect(const CaseLayout& layout, const Tensors& inputs,
                                                  Selection selection) const {
    std::shared_ptr<ExpectedOutputs> outputs;
    return expect(layout, inputs, std::move(selection), outputs);
}

Result<OutputCheck::Expected> OutputCheck::expect(const CaseLayout& layout, const Tensors& inputs, Selection selection,
                                                  std::shared_ptr<ExpectedOutputs>& outputs) const {
    if (outputs != nullptr) {
        GKS_TRY(outputs->replaceInputs(views(inputs)));
    } else {
        GKS_TRY_ASSIGN(outputs, m_reference->prepare(layout.shape, views(inputs), m_encoding));
    }
    return answers(layout, outputs, std::move(selection));
}

Result<std::shared_ptr<ExpectedOutputs>> OutputCheck::stand(const CaseLayout& layout, const InputSource& source) const {
    return m_reference->prepare(layout.shape, views(source.values()), m_encoding, InputSource::timesDrawn);
}

Result<OutputCheck::Expected> OutputCheck::expect(const CaseLayout& layout, const InputSource& source,
                                                  const InputChoice& choice, Selection selection,
                                                  std::shared_ptr<ExpectedOutputs>& standing) const {
    if (standing == nullptr) {
        GKS_TRY_ASSIGN(standing, stand(layout, source));
    }
    GKS_TRY(standing->moveTo(source, choice));
    return answers(layout, standing, std::move(selection));
}

Result<OutputCheck::Expected> OutputCheck::answers(const CaseLayout& layout,
                                                   const std::shared_ptr<ExpectedOutputs>& outputs,
                                                   Selection selection) const {
    using Asked = ExpectedOutputs::Asked;
    const bool followsMagnitude = m_pack.tolerance.ofMagnitude > 0;
    Expected expected;
    expected.selection = std::move(selection);
    expected.values.resize(layout.places.size());
    expected.magnitudes.resize(layout.places.size());
    for (std::size_t i = 0; i < layout.places.size(); ++i) {
        if (layout.places[i].isOutput == 0) {
            continue;
        }
        if (expected.selection[i]) {
            GKS_TRY_ASSIGN(expected.values[i], outputs->at(i, *expected.selection[i]));
            if (followsMagnitude) {
                GKS_TRY_ASSIGN(expected.magnitudes[i], outputs->at(i, *expected.selection[i], Asked::magnitudes));
            }
        } else if (layout.elements[i] <= keptElements) {
            GKS_TRY_ASSIGN(expected.values[i], outputs->range(i, 0, layout.elements[i]));
            if (followsMagnitude) {
                GKS_TRY_ASSIGN(expected.magnitudes[i], outputs->range(i, 0, layout.elements[i], Asked::magnitudes));
            }
        } else {
            expected.late = outputs;
        }
    }
    return expected;
}

std::vector<runner::Piece> OutputCheck::pieces(const Selection& selection) const {
    std::vector<runner::Piece> pieces;
    for (std::size_t i = 0; i < selection.size(); ++i) {
        const auto size = static_cast<std::uint32_t>(sizeBytes(m_pack.tensors[i].type));
        std::int64_t next = -1;
        for (const std::int64_t index : selection[i].value_or(std::vector<std::int64_t>())) {
            if (index != next) {
                pieces.push_back({static_cast<std::uint32_t>(i), 0, static_cast<std::uint64_t>(index) * size});
            }
            pieces.back().bytes += size;
            next = index + 1;
        }
    }
    return pieces;
}

std::vector<std::span<const std::byte>> outputsIn(const CaseLayout& layout, std::span<const std::byte> segment) {
    std::vector<std::span<const std::byte>> outputs(layout.places.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const runner::Place& place = layout.places[i];
        if (place.isOutput != 0) {
            outputs[i] = segment.subspan(place.offset + runner::guardBytes, place.dataBytes);
        }
    }
    return outputs;
}

Tensors OutputCheck::gather(const CaseLayout& layout, const Selection& selection,
                            std::span<const std::byte> outputs) const {
    return gather(selection, outputsIn(layout, outputs));
}

Tensors OutputCheck::gather(const Selection& selection, std::span<const std::span<const std::byte>> outputs) const {
    Tensors gathered(outputs.size());
    for (std::size_t i = 0; i < gathered.size(); ++i) {
        const std::span<const std::byte> bytes = outputs[i];
        if (bytes.empty()) {
            continue;
        }
        if (!selection[i]) {
            gathered[i].resize(bytes.size());
            copyBytes(gathered[i], bytes);
            continue;
        }
        const std::size_t size = sizeBytes(m_pack.tensors[i].type);
        gathered[i].resize(selection[i]->size() * size);
        for (std::size_t j = 0; j < selection[i]->size(); ++j) {
            std::memcpy(gathered[i].data() + j * size,
                        bytes.data() + static_cast<std::size_t>((*selection[i])[j]) * size, size);
        }
    }
    return gathered;
}

bool OutputCheck::isSame(const Selection& selection, std::span<const std::span<const std::byte>> outputs,
                         const Tensors& gathered) const {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (!selection[i] && !sameBytes(outputs[i], gathered[i])) {
            return false;
        }
        const std::size_t size = sizeBytes(m_pack.tensors[i].type);
        for (std::size_t j = 0; selection[i] && j < selection[i]->size(); ++j) {
            if (std::memcmp(gathered[i].data() + j * size,
                            outputs[i].data() + static_cast<std::size_t>((*selection[i])[j]) * size, size) != 0) {
                return false;
            }
        }
    }
    return true;
}

Result<OutputCheck::Outcome> OutputCheck::check(const CaseLayout& layout, const Expected& expected,
                                                const Tensors& gathered) const {
    Outcome outcome;
    for (std::size_t i = 0; i < layout.places.size(); ++i) {
        if (layout.places[i].isOutput == 0) {
            continue;
        }
        GKS_TRY_ASSIGN(const Comparison one, checkTensor(expected, i, layout.elements[i], gathered[i]));
        if (!one.ok() && outcome.text.empty()) {
            outcome.text = fmt::format("{}: {}", m_pack.tensors[i].name, one.text());
        }
        outcome.comparison += one;
    }
    return outcome;
}

Result<Comparison> OutputCheck::checkTensor(const Expected& expected, std::size_t tensor, std::int64_t elements,
                                            std::span<const std::byte> bytes) const {
    const ElementType type = m_pack.tensors[tensor].type;
    const auto& selection = expected.selection[tensor];
    if (selection || !expected.values[tensor].empty()) {
        Comparison result =
            compare(expected.values[tensor], bytes, type, m_encoding, m_pack.tolerance, 0, expected.magnitudes[tensor]);
        if (selection && result.firstIndex >= 0) {
            result.firstIndex = (*selection)[static_cast<std::size_t>(result.firstIndex)];
        }
        return result;
    }
    Comparison total;
    const std::size_t size = sizeBytes(type);
    for (std::int64_t begin = 0; begin < elements; begin += chunkElements) {
        const std::int64_t end = std::min(elements, begin + chunkElements);
        GKS_TRY_ASSIGN(const std::vector<double> values, expected.late->range(tensor, begin, end));
        std::vector<double> magnitudes;
        if (m_pack.tolerance.ofMagnitude > 0) {
            GKS_TRY_ASSIGN(magnitudes, expected.late->range(tensor, begin, end, ExpectedOutputs::Asked::magnitudes));
        }
        const auto part =
            bytes.subspan(static_cast<std::size_t>(begin) * size, static_cast<std::size_t>(end - begin) * size);
        total += compare(values, part, type, m_encoding, m_pack.tolerance, begin, magnitudes);
    }
    return total;
}

} // namespace gks
