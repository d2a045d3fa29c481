// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/case_data.h"
#include "core/problem/data.h"

namespace gks {

// Compares outputs with the reference, in the evaluator's process.
class OutputCheck {
public:
    OutputCheck(const ProblemPack& pack, std::shared_ptr<const Reference> reference, Fp8Encoding encoding)
        : m_pack(pack), m_reference(std::move(reference)), m_encoding(encoding) {}

    struct Outcome {
        Comparison comparison; // of all outputs together
        std::string text;      // what differed: "c: 17 of 8192 elements differ, ...", empty when nothing did
    };
    // Every element, or a sample when the reference would take too long; the sample is drawn now, after the kernel has
    // run. `outputs` is laid out as the shared segment.
    Result<Outcome> check(const CaseLayout& layout, const Tensors& inputs, std::span<const std::byte> outputs,
                          bool everything) const;

    // Whether every element is checked when nobody insists on it.
    bool isCheap(const CaseLayout& layout) const;

private:
    Result<Comparison> checkTensor(const ExpectedOutputs& expected, std::size_t tensor, std::int64_t elements,
                                   std::span<const std::byte> bytes, bool everything) const;

    const ProblemPack& m_pack;
    std::shared_ptr<const Reference> m_reference;
    Fp8Encoding m_encoding;
};

} // namespace gks
