// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/trial/case_data.h"
#include "core/judge/evaluator/trial/reference.h"
#include "core/judge/verdict.h"
#include "core/problem/data.h"

#include <memory>
#include <optional>

namespace gks {

// Out of outputs laid out as the shared segment: each, in the order of the pack; inputs are empty.
std::vector<std::span<const std::byte>> outputsIn(const CaseLayout& layout, std::span<const std::byte> segment);

// Compares outputs with the reference, in the evaluator's process.
class OutputCheck {
public:
    OutputCheck(const ProblemPack& pack, std::shared_ptr<const Reference> reference, Fp8Encoding encoding)
        : m_pack(pack), m_reference(std::move(reference)), m_encoding(encoding) {}

    // Flat indices of the elements that are looked at, of each tensor in the order of the pack; nothing: all of them.
    // Drawn from the system's random source: no kernel knows them, whenever they are drawn.
    using Selection = std::vector<std::optional<std::vector<std::int64_t>>>;
    // Every element where that is cheap or insisted on, else about `samples` of every output.
    // In runs of so many where that is cheaper to read.
    Selection select(const CaseLayout& layout, bool everything, std::size_t samples, std::int64_t run = 1) const;
    // A few short runs of every output, which cost the reference next to nothing: what is asked of every timed call.
    Selection probes(const CaseLayout& layout) const;

    // How much of every output that is.
    std::vector<OutputCoverage> coverage(const CaseLayout& layout, const Selection& selection) const;

    // What should come out.
    struct Expected {
        Selection selection;
        std::vector<std::vector<double>> values;     // in the order of the selection
        std::vector<std::vector<double>> magnitudes; // of the same; empty where the tolerance does not follow them
        std::shared_ptr<const ExpectedOutputs> late; // where the values are too many to be kept: computed as they are
                                                     // compared
        std::size_t sizeBytes() const;
    };
    Result<Expected> expect(const CaseLayout& layout, const Tensors& inputs, Selection selection) const;
    // The same for inputs that follow one another: what the first one leaves in `standing` serves the next.
    Result<Expected> expect(const CaseLayout& layout, const Tensors& inputs, Selection selection,
                            std::shared_ptr<ExpectedOutputs>& standing) const;
    // The values of a source, of which calls have windows, for the oracle: copied once.
    Result<std::shared_ptr<ExpectedOutputs>> stand(const CaseLayout& layout, const InputSource& source) const;
    // The same for one of these calls; what it finds in `standing`, or leaves there, is of the source.
    Result<Expected> expect(const CaseLayout& layout, const InputSource& source, const InputChoice& choice,
                            Selection selection, std::shared_ptr<ExpectedOutputs>& standing) const;

    // Where the selected elements lie, one piece for those that follow one another.
    std::vector<runner::Piece> pieces(const Selection& selection) const;
    // The selected elements, out of outputs laid out as the shared segment, or each where it lies (inputs empty).
    Tensors gather(const CaseLayout& layout, const Selection& selection, std::span<const std::byte> outputs) const;
    Tensors gather(const Selection& selection, std::span<const std::span<const std::byte>> outputs) const;
    // Whether that is what was gathered.
    bool isSame(const Selection& selection, std::span<const std::span<const std::byte>> outputs,
                const Tensors& gathered) const;

    struct Outcome {
        Comparison comparison; // of all outputs together
        std::string text;      // what differed: "c: 17 of 8192 elements differ, ...", empty when nothing did
    };
    Result<Outcome> check(const CaseLayout& layout, const Expected& expected, const Tensors& gathered) const;

private:
    Result<Expected> answers(const CaseLayout& layout, const std::shared_ptr<ExpectedOutputs>& outputs,
                             Selection selection) const;
    Result<Comparison> checkTensor(const Expected& expected, std::size_t tensor, std::int64_t elements,
                                   std::span<const std::byte> bytes) const;

    const ProblemPack& m_pack;
    std::shared_ptr<const Reference> m_reference;
    Fp8Encoding m_encoding;
};

} // namespace gks
