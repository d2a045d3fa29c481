// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace gks {

// Every file of a folder that is new or empty, or none of them: they lie in a hidden folder beside or inside it until
// `check`, which is given that folder, is content. Paths may name folders.
Result<void> writeFolderAtomically(const std::filesystem::path& folder, const std::map<std::string, std::string>& files,
                                   const std::function<Result<void>(const std::filesystem::path&)>& check = {});

} // namespace gks
