// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace gks::hipcpu {

// Writes an object with what clang calls for __bf16 in host code and libgcc has from GCC 13 on only; ROCm's compiler
// brings it. Weak and hidden: a library's own goes before it, and nothing else sees it.
Result<void> emitHostBuiltins(const std::filesystem::path& object);

} // namespace gks::hipcpu
