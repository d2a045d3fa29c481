// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/python_text.h"

#include <string>
#include <string_view>
#include <vector>

// Python as tokens: with what indentation and brackets mean, and where each stands.
namespace gks {

enum class PythonTokenKind { name, number, text, symbol, newline, indent, dedent, end };

struct PythonToken {
    PythonTokenKind kind = PythonTokenKind::end;
    std::string text;
    PythonPlace place;
};

tl::unexpected<Error> refusedPython(std::string_view where, const PythonPlace& place, std::string what);

// Bounded; ends with a token `end`.
Result<std::vector<PythonToken>> pythonTokens(std::string_view source, std::string_view where);

} // namespace gks
