// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <string>

// Arithmetic over the dims of a problem, as written in problem.toml: "2*m*n*k", "ceil(n/128)", "max(m, n)".
namespace gks {

using NamedValues = std::map<std::string, std::int64_t>;

// Longer expressions are refused before they are parsed.
inline constexpr std::size_t expressionLimitBytes = 500;

// A finite value; the error (without a place) says what is wrong and repeats the expression.
Result<double> evaluateExpression(const std::string& expression, const NamedValues& values);
// The same, and the value is a positive whole number.
Result<std::int64_t> evaluateExtent(const std::string& expression, const NamedValues& values);

} // namespace gks
