// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace gks::hipcpu {

// The optimiser unrolls short loops, so that arrays of a thread become values. What loops tell of their accesses makes
// them longer: those that it would have unrolled without that are marked to be unrolled all the same. Before an item
// function is simplified.
void unrollAsUntold(llvm::Function& item);

} // namespace gks::hipcpu
