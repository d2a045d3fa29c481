// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace gks::hipcpu {

class NextCuts;

// Cuts before code that several cuts lead to, as the one before a loop and the one at its turn lead to the begin of its
// body: it would be in the regions behind each of them, and be compiled as often. Where it is short it may be.
void cutBeforeSharedCode(llvm::Function& item, NextCuts& next);

} // namespace gks::hipcpu
