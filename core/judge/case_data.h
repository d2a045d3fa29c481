// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/hash.h"
#include "core/judge/runner_protocol.h"
#include "core/problem/data.h"
#include "core/problem/problem.h"

#include <span>
#include <vector>

namespace gks {

// Bytes of the tensors in the order of the pack; outputs are empty.
using Tensors = std::vector<std::vector<std::byte>>;
std::vector<std::span<const std::byte>> views(const Tensors& tensors);

// Where the tensors of one shape lie in the memory that is shared with the runner.
struct CaseLayout {
    Shape shape;
    std::vector<std::int64_t> elements;
    std::vector<runner::Place> places;
    std::size_t workspaceOffset = 0; // of the workspace's two guard bands, output segment only
    std::size_t totalBytes = 0;
};
Result<CaseLayout> layoutOf(const ProblemPack& pack, const Shape& shape);

Result<Tensors> drawInputs(const ProblemPack& pack, const CaseLayout& layout, const Seed& seed,
                           Distribution distribution, Fp8Encoding encoding);

// Fresh inputs at the cost of a copy: twice the values that a call needs are drawn once, and every call gets a window
// of them that begins at another, unpredictable element. Rows, columns and pointers' contents differ in every call, the
// distribution does not.
class InputPool {
public:
    static Result<InputPool> draw(const ProblemPack& pack, const CaseLayout& layout, Fp8Encoding encoding);
    void next(Tensors& into);

private:
    explicit InputPool(const ProblemPack& pack);
    std::uint64_t below(std::uint64_t limit);

    std::vector<std::size_t> m_elementBytes;
    Tensors m_values;
    std::unique_ptr<SeededStream> m_stream;
};

// What the buffers hold before a call: guard bands with a secret pattern, outputs with values that are no result (NaN
// where the type has one), inputs.
class CaseImages {
public:
    CaseImages(const ProblemPack& pack, Fp8Encoding encoding);
    // Guard bands and outputs; once per shape and segment.
    void writeSurroundings(const CaseLayout& layout, std::span<std::byte> segment) const;
    void writeInputs(const CaseLayout& layout, const Tensors& inputs, std::span<std::byte> segment) const;

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
