// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/reference.h"

#include "core/judge/evaluator/trial/byte_ranges.h"
#include "core/judge/evaluator/trial/reference_library.h"
#include "core/problem/element_codec.h"
#include "core/problem/parallel_ranges.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <thread>

namespace gks {
namespace {

// Elements per call of the reference. A reference that needs the whole of a row (its maximum, its sum of squares)
// computes that once per call, so pieces are few: some for every core, for balance, and large enough to vectorise.
constexpr std::int64_t fewestElements = 256;
constexpr std::int64_t piecesPerCore = 4;
constexpr std::size_t slicesPerTurn = 16; // of drawn positions, that a thread takes at a time
constexpr std::size_t placeBytes = 4096;  // tensors begin at such multiples
constexpr std::int64_t copyPiece = std::int64_t{1} << 20;

std::int64_t pieceElements(std::int64_t elements) {
    const std::int64_t pieces = piecesPerCore * std::max(1U, std::thread::hardware_concurrency());
    return std::max(fewestElements, (elements + pieces - 1) / pieces);
}

// As the reference gets an input it has so many times its bytes.
std::size_t givenTimes(ElementType type) {
    return isFp8(type) ? sizeof(float) : 1;
}

void give(ElementType type, Fp8Encoding encoding, std::span<const std::byte> from, std::span<std::byte> to) {
    if (!isFp8(type)) {
        forRanges(static_cast<std::int64_t>(from.size()), copyPiece, [&](std::int64_t begin, std::int64_t end) {
            const auto at = static_cast<std::size_t>(begin);
            std::memcpy(to.data() + at, from.data() + at, static_cast<std::size_t>(end - begin));
        });
        return;
    }
    const std::span decoded(reinterpret_cast<float*>(to.data()), from.size());
    forRanges(static_cast<std::int64_t>(from.size()), copyPiece, [&](std::int64_t begin, std::int64_t end) {
        const auto at = static_cast<std::size_t>(begin);
        const auto count = static_cast<std::size_t>(end - begin);
        decodeFp8(type, encoding, from.subspan(at, count), decoded.subspan(at, count));
    });
}

} // namespace

Result<void> ExpectedOutputs::isInside(std::size_t tensorIndex, std::int64_t begin, std::int64_t end) const {
    if (tensorIndex >= m_elements.size() || m_elements[tensorIndex] == 0) {
        return usageError(fmt::format("tensor {} is not an output", tensorIndex));
    }
    if (begin < 0 || begin > end || end > m_elements[tensorIndex]) {
        return usageError(fmt::format("elements [{}, {}) are outside of the {} elements of the output", begin, end,
                                      m_elements[tensorIndex]));
    }
    return {};
}

Result<std::vector<double>> ExpectedOutputs::range(std::size_t tensorIndex, std::int64_t begin, std::int64_t end,
                                                   Asked asked) const {
    GKS_TRY(isInside(tensorIndex, begin, end));
    std::vector<double> expected(static_cast<std::size_t>(end - begin));
    std::vector<oracle::Slice> slices;
    for (std::int64_t from = begin; from < end;) {
        const std::int64_t to = std::min(end, from + static_cast<std::int64_t>(oracle::valueLimit));
        const std::int64_t step = pieceElements(to - from);
        slices.clear();
        for (std::int64_t at = from; at < to; at += step) {
            slices.push_back({at, std::min(to, at + step)});
        }
        const auto values =
            std::span(expected).subspan(static_cast<std::size_t>(from - begin), static_cast<std::size_t>(to - from));
        GKS_TRY(m_session->answer(m_number, tensorIndex, m_shifts, slices, 1, values, asked));
        from = to;
    }
    return expected;
}

Result<std::vector<double>> ExpectedOutputs::at(std::size_t tensorIndex, std::span<const std::int64_t> indices,
                                                Asked asked) const {
    for (const std::int64_t index : indices) {
        GKS_TRY(isInside(tensorIndex, index, index + 1));
    }
    std::vector<double> expected(indices.size());
    std::vector<oracle::Slice> slices;
    for (std::size_t from = 0; from < indices.size();) {
        slices.clear();
        std::size_t to = from;
        for (; to < indices.size() && to - from < oracle::valueLimit; ++to) {
            if (!slices.empty() && slices.back().end == indices[to]) {
                ++slices.back().end;
            } else if (slices.size() < oracle::sliceLimit) {
                slices.push_back({indices[to], indices[to] + 1});
            } else {
                break;
            }
        }
        GKS_TRY(m_session->answer(m_number, tensorIndex, m_shifts, slices, slicesPerTurn,
                                  std::span(expected).subspan(from, to - from), asked));
        from = to;
    }
    return expected;
}

Result<void> ExpectedOutputs::replaceInputs(const std::vector<std::span<const std::byte>>& tensors) {
    for (std::size_t i = 0; i < m_inputs.size(); ++i) {
        if (i >= tensors.size() || tensors[i].size() != m_inputs[i].bytes) {
            return usageError(fmt::format("input {} has another size than the case", i));
        }
        if (m_inputs[i].bytes > 0) {
            put(m_inputs[i], 0, tensors[i]);
        }
    }
    return {};
}

void ExpectedOutputs::put(const Input& input, std::size_t begin, std::span<const std::byte> values) {
    give(input.type, m_encoding, values, m_memory.bytes().subspan(input.offset + begin * givenTimes(input.type)));
}

Result<void> ExpectedOutputs::moveTo(const InputSource& source, const InputChoice& choice) {
    for (std::size_t i = 0; i < m_inputs.size(); ++i) {
        Input& input = m_inputs[i];
        if (input.bytes == 0) {
            continue;
        }
        const std::span<const std::byte> values = source.values()[i];
        const runner::Window& window = choice.windows[i];
        if (values.size() != input.bytes) {
            return usageError(fmt::format("input {} is of another source", i));
        }
        put(input, input.heldBegin, values.subspan(input.heldBegin, input.heldBytes));
        input.heldBegin = window.first + window.heldBegin;
        input.heldBytes = window.heldBytes;
        put(input, input.heldBegin, source.piece(choice, i));
        m_shifts[i] = window.first * givenTimes(input.type);
    }
    return {};
}

Result<std::shared_ptr<const Reference>> Reference::load(const ProblemPack& pack, const Options& options,
                                                         const std::shared_ptr<const Reference>& last) {
    OracleSession::Setup setup;
    GKS_TRY_ASSIGN(const std::filesystem::path library,
                   referenceLibrary(pack, options.sandbox, options.allowNoSandbox));
    // Behind the wall there is no way through links and "..".
    std::error_code failed;
    setup.library = std::filesystem::canonical(library, failed);
    if (failed) {
        return infrastructureError(failed.message(), library.string());
    }
    setup.sandbox = options.sandbox;
    setup.allowNoSandbox = options.allowNoSandbox;
    setup.answerLimit = options.answerLimit;
    std::shared_ptr<OracleSession> session = last && last->m_session->serves(setup) ? last->m_session : nullptr;
    if (!session) {
        GKS_TRY_ASSIGN(session, OracleSession::start(setup, pack.referencePath.string()));
    }
    return std::shared_ptr<const Reference>(new Reference(std::move(session), pack));
}

Result<std::shared_ptr<ExpectedOutputs>> Reference::prepare(const Shape& shape,
                                                            const std::vector<std::span<const std::byte>>& tensors,
                                                            Fp8Encoding encoding, std::size_t times) const {
    oracle::Request request;
    if (shape.size() != m_pack.dims.size() || tensors.size() != m_pack.tensors.size() ||
        shape.size() > request.dims.size() || tensors.size() > request.offsets.size()) {
        return usageError(fmt::format("{} dims and {} tensors were given, the pack has {} and {}", shape.size(),
                                      tensors.size(), m_pack.dims.size(), m_pack.tensors.size()),
                          m_pack.name);
    }
    std::copy(shape.begin(), shape.end(), request.dims.begin());
    request.tensorCount = static_cast<std::uint32_t>(tensors.size());
    request.offsets.fill(oracle::noInput);
    std::vector<std::int64_t> outputs(tensors.size(), 0);
    std::vector<ExpectedOutputs::Input> inputs(tensors.size());
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const TensorSpec& tensor = m_pack.tensors[i];
        GKS_TRY_ASSIGN(const std::int64_t elements, m_pack.elementCount(tensor, shape));
        if (tensor.role == TensorRole::output) {
            outputs[i] = elements;
            continue;
        }
        if (tensors[i].size() != times * static_cast<std::size_t>(elements) * sizeBytes(tensor.type)) {
            return usageError(fmt::format("input {} of shape {} needs {} elements of {} bytes, got {} bytes",
                                          tensor.name, m_pack.shapeLabel(shape), elements, sizeBytes(tensor.type),
                                          tensors[i].size()),
                              m_pack.name);
        }
        request.offsets[i] = bytes;
        inputs[i] = {tensor.type, bytes, tensors[i].size()};
        bytes += (tensors[i].size() * givenTimes(tensor.type) + placeBytes - 1) / placeBytes * placeBytes;
    }
    GKS_TRY_ASSIGN(SharedMemory memory, SharedMemory::create("reference inputs", std::max(bytes, placeBytes)));
    GKS_TRY(memory.sealForOthers());
    memory.populate();
    GKS_TRY_ASSIGN(const std::uint32_t number, m_session->open(request, memory));
    auto expected = std::make_shared<ExpectedOutputs>(m_session, number, std::move(outputs), std::move(inputs),
                                                      std::move(memory), encoding);
    GKS_TRY(expected->replaceInputs(tensors));
    return expected;
}

} // namespace gks
