// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace gks {

// One line of bounded length, whatever the source called its kernel.
std::string boundedName(std::string_view text);
// The same of a mangled symbol, as it stands in the source: "scale(float*, int)".
std::string kernelName(const std::string& symbol);

} // namespace gks
