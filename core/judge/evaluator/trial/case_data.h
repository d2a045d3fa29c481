// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/hash.h"
#include "core/judge/runner/runner_protocol.h"
#include "core/problem/data.h"
#include "core/problem/problem.h"
#include "core/problem/raw_memory.h"

#include <span>
#include <vector>

namespace gks {

// Bytes of the tensors in the order of the pack; outputs are empty.
using Tensors = std::vector<RawVector<std::byte>>;
std::vector<std::span<const std::byte>> views(const Tensors& tensors);

// Where the tensors of one shape lie in the memory that is shared with the runner.
struct CaseLayout {
    Shape shape;
    std::vector<std::int64_t> elements;
    std::vector<runner::Place> places;
    std::size_t workspaceOffset = 0; // of the workspace's two guard bands, output segment only
    std::size_t totalBytes = 0;      // of the output segment
    std::size_t inputBytes = 0;      // of the input segment
};
// `times` as many values of every input as a call needs.
Result<CaseLayout> layoutOf(const ProblemPack& pack, const Shape& shape, std::size_t times = 1);

Result<Tensors> drawInputs(const ProblemPack& pack, const CaseLayout& layout, const Seed& seed,
                           Distribution distribution, Fp8Encoding encoding);

// What the buffers hold before a call: guard bands with a secret pattern, outputs with values that are no result (NaN
// where the type has one).
class CaseImages {
public:
    CaseImages(const ProblemPack& pack, Fp8Encoding encoding);
    // Patterns of guard bands and outputs, into the input segment.
    void writePatterns(const CaseLayout& layout, std::span<std::byte> segment) const;

    const std::vector<std::byte>& guard() const { return m_guard; }
    // What an output is filled with, over and over.
    std::vector<std::byte> poison(std::size_t tensor) const { return poisonFor(m_pack.tensors[tensor].type); }

    // What of a snapshot is not as it was written: "4 bytes after the end of c were overwritten", empty when all is
    // intact.
    std::string damagedGuards(const CaseLayout& layout, bool hasWorkspace, std::span<const std::byte> segment) const;
    std::string changedInputs(const CaseLayout& layout, const Tensors& inputs,
                              std::span<const std::byte> segment) const;

private:
    std::vector<std::byte> poisonFor(ElementType type) const;

    const ProblemPack& m_pack;
    Fp8Encoding m_encoding;
    std::vector<std::byte> m_guard;
    std::vector<std::byte> m_noise; // poison of integer outputs
};

} // namespace gks
