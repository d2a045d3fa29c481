// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace gks {

// Whether a text is meant as the address of something on another machine ("ssh://host/x.gks", also in capitals or with
// a slash too few, "sftp://..."), and not as the name of a file.
bool isRemoteAddress(std::string_view text);

} // namespace gks
