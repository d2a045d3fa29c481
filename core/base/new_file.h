// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/regular_file.h"

#include <filesystem>
#include <optional>
#include <string_view>

namespace gks {

// A file that appears whole, as with writeFileAtomically(), and that must be new, also when several programs choose its
// name at once: nothing when the name is taken. The open file carries a lock (flock) from before it has its name, until
// it is closed or the program ends.
Result<std::optional<FileDescriptor>> writeNewFile(const std::filesystem::path& path, std::string_view content);

} // namespace gks
