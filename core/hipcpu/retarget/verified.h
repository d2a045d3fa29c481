// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

namespace llvm {
class Module;
} // namespace llvm

namespace gks::hipcpu {

// That what a stage of the retargeter has made is IR.
Result<void> verified(const llvm::Module& module, const char* stage);

} // namespace gks::hipcpu
