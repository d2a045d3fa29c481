// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/places.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>

namespace gks::hipcpu {
namespace {

// The blocks of a loop in the place of its header, in an order in which what leads to a block comes before it.
void append(const std::vector<llvm::BasicBlock*>& blocks, const llvm::Loop* within, const llvm::LoopInfo& loops,
            Places& places) {
    for (llvm::BasicBlock* block : blocks) {
        const llvm::Loop* loop = loops.getLoopFor(block);
        while (loop != within && loop->getParentLoop() != within) {
            loop = loop->getParentLoop();
        }
        if (loop == within) {
            places.try_emplace(block, static_cast<unsigned>(places.size()));
        } else if (block == loop->getHeader()) {
            std::vector<llvm::BasicBlock*> inside;
            llvm::copy_if(blocks, std::back_inserter(inside),
                          [&](const llvm::BasicBlock* one) { return loop->contains(one); });
            append(inside, loop, loops, places);
        }
    }
}

} // namespace

Places placesOf(llvm::Function& function) {
    const llvm::DominatorTree dominators(function);
    const llvm::LoopInfo loops(dominators);
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function);
    Places places;
    append({order.begin(), order.end()}, nullptr, loops, places);
    return places;
}

} // namespace gks::hipcpu
