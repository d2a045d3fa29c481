// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/retarget/thread_growth.h"

#include <optional>

namespace gks::hipcpu {

// What asks for loops of rows.
class RowAccesses {
public:
    virtual ~RowAccesses() = default;
    // Of an instruction whose address has to grow alike, else null.
    virtual llvm::Value* addressOf(llvm::Instruction& instruction) const = 0;
    // Whether it is of use, too, where some threads alone come to such instructions. Then all that any of them would
    // touch there has to lie inside.
    virtual bool mayBeOfSome(ThreadGrowth& threads) const = 0;
    // Before the loops, an i1; `loops`: those of `threads`, with the lanes that take part.
    virtual llvm::Value* isInside(ThreadGrowth& threads, const ThreadLoops& loops,
                                  llvm::Instruction& instruction) const = 0;
};

struct RowLoops {
    ThreadLoops loops;
    bool mayBeOfSome = false;
};

// Most kernels end in "if (i < n)", and nearly all blocks have no thread beyond n; and nearly all addresses do grow
// alike from thread to thread. From now on the loops are there twice, once for when both is so: every thread passes the
// comparisons that the region begins with, or that guard a part of it, and none is made any more. Of a strip alone it
// is enough that those lanes which pass the first ones lie side by side: the loop then has only these. That one's
// counters come back. Nothing where there is no such address.
std::optional<RowLoops> loopsOfRows(const ThreadLoops& loops, const BlockSize& size, const RowAccesses& accesses);

} // namespace gks::hipcpu
