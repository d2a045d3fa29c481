// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace gks {

std::string base64(std::string_view bytes);
// An error when it is none, or has line breaks in it.
Result<std::string> bytesOfBase64(std::string_view text);

} // namespace gks
