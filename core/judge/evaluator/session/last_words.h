// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

// What a sandboxed process has left on its standard error.
namespace gks {

std::string readNow(int descriptor); // what is in the pipe already, bounded
std::string lastLine(std::string_view text);
// Foreign text as people may see it: short, in one line, without control characters, between quotation marks.
std::string quotation(std::string_view text);

} // namespace gks
