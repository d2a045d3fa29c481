// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/retarget/assembly/text.h"

#include <string>
#include <string_view>
#include <vector>

namespace gks::hipcpu {

struct Assembled {
    std::vector<AssemblyInstruction> instructions;
    std::string problem; // what LLVM's assembler or this project has against the text; empty: nothing
};

// The text as LLVM's assembler for gfx942 reads it: one instruction a line, with labels before it. Anything else
// (directives, assignments) is a problem: it could define macros or open files. The text may be hostile; its size is
// bounded.
Assembled assembled(std::string_view text);

} // namespace gks::hipcpu
