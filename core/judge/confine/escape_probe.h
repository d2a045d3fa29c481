// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace gks {

// Attempts one escape from within the wall and prints one line about it. 0: stopped, 1: escaped, 2: no such attempt.
int attemptEscape(std::string_view what, const char* argument);

} // namespace gks
