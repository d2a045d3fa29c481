// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Foreign text where there is room for one short line. Valid UTF-8 stays valid.
namespace gks {

// Line ends and other control characters become spaces.
std::string withoutControls(std::string text);
// At most `limitBytes`, without half a character at the end.
std::string_view beginningOf(std::string_view text, std::size_t limitBytes);
// At most `limitBytes`: the beginning, then an ellipsis.
std::string shortened(std::string_view text, std::size_t limitBytes);

} // namespace gks
