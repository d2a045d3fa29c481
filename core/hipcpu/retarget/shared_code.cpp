// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/shared_code.h"

#include "core/hipcpu/retarget/next_cuts.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace gks::hipcpu {
namespace {

constexpr std::size_t shortCode = 64; // instructions

using BlockList = llvm::SetVector<llvm::BasicBlock*>;

// Where regions begin.
BlockList entries(llvm::Function& item, const NextCuts& next) {
    BlockList found;
    found.insert(&item.getEntryBlock());
    for (llvm::BasicBlock& block : item) {
        if (next.isCut(block)) {
            found.insert(llvm::succ_begin(&block), llvm::succ_end(&block));
        }
    }
    return found;
}

// Up to the next cut.
std::size_t lengthFrom(llvm::BasicBlock& begin, const NextCuts& next) {
    BlockList blocks;
    blocks.insert(&begin);
    std::size_t length = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        length += static_cast<std::size_t>(std::distance(blocks[i]->getFirstNonPHIIt(), blocks[i]->end()));
        if (!next.isCut(*blocks[i])) {
            blocks.insert(llvm::succ_begin(blocks[i]), llvm::succ_end(blocks[i]));
        }
    }
    return length;
}

// The first that several regions come to, each by one way alone: all threads take it.
llvm::BasicBlock* sharedCode(llvm::Function& item, const NextCuts& next) {
    llvm::DenseMap<const llvm::BasicBlock*, unsigned> ways;
    for (llvm::BasicBlock* entry : entries(item, next)) {
        BlockList passed;
        for (llvm::BasicBlock* at = entry; at != nullptr && passed.insert(at);) {
            if (++ways[at] > 1 && at->hasNPredecessorsOrMore(2) && lengthFrom(*at, next) > shortCode) {
                return at;
            }
            at = next.isCut(*at) ? nullptr : at->getSingleSuccessor();
        }
    }
    return nullptr;
}

} // namespace

void cutBeforeSharedCode(llvm::Function& item, NextCuts& next) {
    while (llvm::BasicBlock* begin = sharedCode(item, next)) {
        // The phis belong to the ways that lead there.
        next.add(Cut::Kind::join, *llvm::splitBlockBefore(begin, begin->getFirstNonPHIIt(), nullptr, nullptr, nullptr));
    }
}

} // namespace gks::hipcpu
