// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string_view>

namespace gks {

// Of a code object whose disassembly is to be read: error when a symbol holds a control character. An asm label may
// have line breaks, and the disassembler would print instructions that nobody has compiled.
Result<void> checkSymbolNames(std::string_view bytes);

} // namespace gks
