// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace gks {

// "6.9" before "6.10": digits compare as numbers, everything else as text.
bool versionBefore(std::string_view a, std::string_view b);

} // namespace gks
