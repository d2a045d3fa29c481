// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/architecture.h"

#include <llvm/ADT/StringRef.h>

namespace llvm {
class CallInst;
} // namespace llvm

namespace gks::hipcpu {

class OperandSlots;

// Turns the call of a matrix intrinsic, whose name without its prefix is given, into one of hipcpu_mfma.
void lowerMatrixCall(llvm::CallInst& call, OperandSlots& slots, llvm::StringRef name, Architecture architecture);

} // namespace gks::hipcpu
