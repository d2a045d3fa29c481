// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gks {

// The scalar facts of one kernel in a code object's metadata, by name: ".vgpr_count" -> "66".
using KernelNotes = std::map<std::string, std::string, std::less<>>;

// Reads what `llvm-readelf --notes` prints. The text comes from a compiler that read hostile source: bounded, and
// anything odd is an error with its line.
Result<std::vector<KernelNotes>> readResourceNotes(std::string_view text);

} // namespace gks
