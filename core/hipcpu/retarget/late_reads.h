// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace gks::hipcpu {

// A read of LDS whose value is used behind a branch alone goes there, as it does in every compiler of a card: threads
// that take the other way read nothing. So a function may be called with a value that one wave uses and overwrites
// while the others are still at the call. Before accesses are told.
void delayReads(llvm::Function& function);

} // namespace gks::hipcpu
