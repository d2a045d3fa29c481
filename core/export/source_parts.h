// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

// A kernel's source in two parts, so that it can stand in a namespace of its own beside another one in the same file:
// two kernels of a campaign have helpers of the same names more often than not, and a linker that merges templates of
// the same name takes either, without a word.
namespace gks {

struct SourceParts {
    // The directives up to the last #include, in their order: conditions and definitions decide what is included and
    // what that means. Empty where the source includes nothing but problem.h.
    std::string prelude;
    std::string body;                // the source with these lines left blank, so that line numbers stay
    std::vector<std::string> macros; // that it defines anywhere, sorted, each once
};

// Refused: a quoted include other than problem.h, which nobody has.
Result<SourceParts> splitSource(std::string_view source, std::string_view where);

} // namespace gks
