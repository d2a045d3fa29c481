// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace gks {

// As a terminal may be given it: whatever it would obey or that hides what a text says becomes visible as an escape,
// "\x1b", "\u202e": control characters but newline and tab, overrides and isolates of the direction of writing,
// malformed bytes. For everything that came from a file, a model or another process. Done twice it changes nothing
// more.
std::string terminalText(std::string_view text);
// The same on one line: line breaks and tabs become spaces.
std::string terminalLine(std::string_view text);

} // namespace gks
