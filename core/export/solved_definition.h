// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/problem/problem.h"

#include <filesystem>
#include <string>

// The Definition of FlashInfer-Bench that a Solution is for: it has to ask for what the kernel was judged by.
namespace gks {

struct SolvedDefinition {
    std::string name;
    bool isCompared = true; // its reference is that of the Definition that the pack was made from
};

// The Definition is the file named, else definition.json of the problem pack, which `import-problem` puts there.
// Refused where tensors, axes or constants are others than the pack's, and where axes or reference are others than
// those of the Definition in the pack, if it has one.
Result<SolvedDefinition> solvedDefinition(const ProblemPack& pack, const std::filesystem::path& given);

inline constexpr const char* definitionFile = "definition.json"; // of a pack that was made from one
std::string definitionTypeName(ElementType type);                // "float8_e4m3fn", ...; empty: there is none

} // namespace gks
