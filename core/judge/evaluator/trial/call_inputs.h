// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/trial/case_data.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace gks {

// Which inputs one call gets, as InputSource::choose() drew it.
struct InputChoice {
    std::vector<runner::Window> windows; // in the order of the pack's tensors
    std::vector<std::size_t> fresh;      // where in the stock the pieces begin, bytes
    Seed seed = {};                      // of the values, where every call has its own
};

// What calls get as inputs. Where writing them costs no more than drawing them (fresh), no content comes twice. Where
// they have to be brought to a device (draw), values are brought there once, and every call gets something else of
// them: of each input a window that begins at an unpredictable element, with an unpredictable piece of it replaced by
// values that come only with the call and never were on the device. So rows, columns and pointers' contents differ in
// every call, the distribution does not, and a call costs a copy on the device.
class InputSource {
public:
    // The inputs of one call and nothing else; every call gets them.
    static InputSource exactly(const ProblemPack& pack, Tensors inputs);
    // More values than a call needs, each one of 65536 that were drawn as declared.
    static constexpr std::size_t timesDrawn = 2;
    static InputSource draw(const ProblemPack& pack, const CaseLayout& layout, Fp8Encoding encoding);

    // Values that no call has seen: values() are those of the last choose(). Each element is one of 65536 that were
    // drawn as declared, at a place that a keystream of the choice's own seed says: 2 ns an element instead of 10.
    static InputSource fresh(const ProblemPack& pack, const CaseLayout& layout, Fp8Encoding encoding);

    InputChoice choose();
    const Tensors& values() const { return m_values; }
    std::span<const std::byte> piece(const InputChoice& choice, std::size_t tensor) const;
    // The inputs of such a call; reuses the memory of `into`.
    void compose(const InputChoice& choice, Tensors& into) const;

    // No two sources have the same.
    std::uint64_t id() const { return m_id; }
    std::size_t sizeBytes() const;

private:
    InputSource(const ProblemPack& pack, std::vector<std::size_t> dataBytes);
    std::uint64_t below(std::uint64_t limit);
    // A random multiple of `step` of at most `last`.
    std::size_t place(std::size_t last, std::size_t step);
    void drawTables(const ProblemPack& pack, Fp8Encoding encoding);
    // So many bytes of every tensor, each element out of its table.
    void fill(const Seed& seed, const std::vector<std::size_t>& bytes, Tensors& into) const;

    std::uint64_t m_id;
    std::vector<std::size_t> m_elementBytes;
    std::vector<std::size_t> m_dataBytes; // of one call; 0 for outputs
    Tensors m_values;
    Tensors m_tables; // of each input the values that fresh ones are taken from; empty where none are
    Tensors m_stock;  // of fresh values; empty where the pieces are those of the values themselves
    std::unique_ptr<SeededStream> m_stream;
};

} // namespace gks
