// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

namespace llvm {
class PHINode;
class Value;
} // namespace llvm

namespace gks::hipcpu {

// The counters of the loops over the threads of a region: of the block's planes, rows, strips (in threads) and of the
// lanes of a strip. The first three are null where not every strip comes to the last one.
struct ThreadLoops {
    llvm::PHINode* z = nullptr;
    llvm::PHINode* y = nullptr;
    llvm::PHINode* x = nullptr;
    llvm::PHINode* lane = nullptr;
};

// Reads that all of these threads make, at addresses in rows, are told at once before the loops. Then nothing is told
// in most loops that compute, and they are vectorised. `size` is that of the block in threads. Returns whether anything
// is still told by single lanes.
bool tellReadsAtOnce(const ThreadLoops& loops, const std::array<llvm::Value*, 3>& size);

} // namespace gks::hipcpu
