// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string_view>

namespace gks {

// Whether a file or a typed text can be a kernel at all: text, not empty, not too long.
Result<void> checkKernelSource(std::string_view source);

} // namespace gks
