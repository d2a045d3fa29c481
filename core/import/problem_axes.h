// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/import/python_text.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// The axes of a problem that others have written down, and what they are called in a pack.
namespace gks {

inline constexpr std::int64_t importedExtentLimit = std::int64_t{1} << 30;

struct ProblemAxis {
    std::string name; // as the problem calls it
    std::string dim;  // as the pack does
    std::optional<std::int64_t> constant = {};
    std::optional<PythonExpression> derived = {}; // from other axes
};

using AxisValues = std::map<std::string, std::int64_t>; // by the problem's names

// A whole number: names in `known`, + - * // % ** and a / that leaves no rest. Refused with its place: everything else.
Result<std::int64_t> wholeValue(const PythonExpression& expression, const AxisValues& known, std::string_view where);
// The names that an expression has.
void namesIn(const PythonExpression& expression, std::set<std::string>& names);

// As it would be written again: two that read the same are the same extent.
std::string writtenExpression(const PythonExpression& expression);

// Names that a pack can have: words of C++ and of expressions, each once.
class PackNames {
public:
    explicit PackNames(std::string_view where) : m_where(where) {}
    Result<std::string> own(const std::string& name);

private:
    std::string_view m_where;
    std::set<std::string> m_taken;
};

} // namespace gks
