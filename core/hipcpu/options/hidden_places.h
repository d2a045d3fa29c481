// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gks::hipcpu {

// Options of clang, behind all others: it names the true line of what it speaks of whatever `#line` says, and nothing
// in a source of `folder` (a macro, the name of a lambda) has the folder's path. A folder whose name is drawn by chance
// then tells the compiler's own lines from those that a source makes it print; see ownWords().
std::vector<std::string> hiddenPlaceOptions(const std::filesystem::path& folder);

} // namespace gks::hipcpu
