// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gks {

// Identity of a kernel: its source without comments, formatting and the names of local variables.
std::string normalizedSource(std::string_view source);

// The same with its names.
std::string withoutFormatting(std::string_view source);

// Where the literal ends whose opening quote is at `quote`: behind the closing one, else at the end of the line.
std::size_t quotedLiteralEnd(std::string_view source, std::size_t quote);
// Likewise of a raw literal, R"x(...)x"; else the end of the source.
std::size_t rawLiteralEnd(std::string_view source, std::size_t quote);

} // namespace gks
