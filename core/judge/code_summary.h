// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/verdict.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

// What the compiler made of a source with one or more functions, as one list: of every resource the largest, of spills,
// matrix instructions and code the sum, of waves per SIMD the smallest.
namespace gks {

enum class CodeUnit { count, bytes };
struct CodeFact {
    std::string name;
    std::int64_t value = 0;
    CodeUnit unit = CodeUnit::count;
    bool isOptional = false; // only worth a word where there is some
    bool isNothing() const { return isOptional && value == 0; }
    bool operator==(const CodeFact&) const = default;
};
std::string codeFactText(const CodeFact& fact); // "96", "33 KiB"

struct CodeSummary {
    std::string reader; // "gfx942", "ptxas"
    std::vector<CodeFact> facts;
    std::map<std::string, int> instructions = {}; // by kind, over all functions; ptxas counts none
    bool operator==(const CodeSummary&) const = default;
};

// Of the report of AMD's code; else of what ptxas wrote into the log; nothing where there is neither.
std::optional<CodeSummary> codeSummary(const Verdict& verdict);
CodeSummary codeSummary(const StaticReport& report);

} // namespace gks
