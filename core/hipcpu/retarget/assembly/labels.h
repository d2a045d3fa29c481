// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gks::hipcpu {

// The labels of a statement of inline assembly and the jumps to them. LLVM's assembler sees neither: a jump goes there
// with a number.
class AssemblyLabels {
public:
    // What is left of the line when the labels at its start, which stand before instruction `next`, are known; "loop:",
    // "1:".
    std::string_view withoutLabels(std::string_view line, std::size_t next);
    // Instruction `at` as the assembler gets it.
    std::string withoutTarget(std::string_view instruction, std::size_t at);
    // Of each jump that goes to a label, the instruction there.
    std::map<std::size_t, std::size_t> targets();
    // What is wrong with them; empty: nothing.
    const std::string& problem() const { return m_problem; }

private:
    struct Jump {
        std::size_t at;
        std::string label;
    };
    struct Number {
        std::string digits;
        std::size_t at;
    };
    std::map<std::string, std::size_t> m_names;
    std::vector<Number> m_numbers; // may stand several times
    std::vector<Jump> m_jumps;
    std::string m_problem;
};

} // namespace gks::hipcpu
