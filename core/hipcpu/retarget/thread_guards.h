// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/retarget/thread_growth.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <optional>

namespace gks::hipcpu {

// Most kernels end in "if (i < n)", and nearly all blocks have no thread beyond n; and nearly all addresses do grow
// alike from thread to thread. From now on the loops are there twice, once for when both is so: every thread passes the
// comparisons that the region begins with, or that guard a part of it, and none is made any more. Of a strip alone it
// is enough that those lanes which pass the first ones lie side by side: the loop then has only these. That one's
// counters come back. `addressOf`: of an instruction whose address has to grow alike, else null. Nothing where there is
// no such address.
std::optional<ThreadLoops> loopsOfRows(const ThreadLoops& loops, const BlockSize& size,
                                       llvm::function_ref<llvm::Value*(llvm::Instruction&)> addressOf);

} // namespace gks::hipcpu
