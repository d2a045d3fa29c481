// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/cpp_text.h"

#include <string>
#include <string_view>
#include <vector>

namespace gks {

// Lines in which a comment is a space; a line that a comment goes on over stays a line. `where` is what messages name.
Result<std::vector<std::string>> linesWithoutComments(std::string_view source, const std::string& where);
// Adds what the line consists of; what is wrong with it otherwise.
std::string tokensOfLine(std::string_view line, std::vector<CppToken>& tokens);

} // namespace gks
