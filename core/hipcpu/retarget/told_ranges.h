// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/retarget/thread_growth.h"

namespace gks::hipcpu {

// Accesses that all threads of these loops make, at addresses in rows, are told at once before the loops, and what they
// write behind them. Then nothing is told in most loops that compute, and they are vectorised. What is still told by
// single lanes is told in their order, reversed where `isReversed` is true.
void tellRows(const ThreadLoops& loops, const BlockSize& size, llvm::Value* isReversed);

} // namespace gks::hipcpu
