// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/side_by_side.h"

#include <string>

namespace gks {

inline constexpr int unifiedContext = 3; // equal lines around a change

// A comparison as one text: "--- name", "+++ name", then hunks, "@@ -12,7 +12,9 @@", of lines that begin with ' ', '-'
// or
// '+'. Empty where nothing differs. With the context it is what `patch` reads, as long as both sides end in a newline.
std::string unifiedText(const SideBySide& diff, const std::string& leftName, const std::string& rightName,
                        int context = unifiedContext);

} // namespace gks
