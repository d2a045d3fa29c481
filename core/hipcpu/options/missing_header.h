// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace gks::hipcpu {

// Where the header comes from that a compiler of HIP did not find, as what to do next; empty for headers that belong to
// no known package.
std::string adviceOnMissingHeader(std::string_view diagnostics);

} // namespace gks::hipcpu
