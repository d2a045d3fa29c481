// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>

namespace llvm {
class BasicBlock;
class PHINode;
} // namespace llvm

namespace gks::hipcpu {

// What a thread goes through in its turn of the innermost loop over threads, which counts `lane`.
class TurnBlocks {
public:
    explicit TurnBlocks(const llvm::PHINode& lane);

    // No way leads back in this order, but within loops of the thread itself.
    llvm::ArrayRef<llvm::BasicBlock*> all() const { return m_order; }
    // Whether every thread comes there.
    bool isOfAll(const llvm::BasicBlock& block) const {
        return &block == m_head || &block == m_end || !leads(*m_head, *m_end, &block);
    }
    // Whether a thread comes there at most once.
    bool isOnce(const llvm::BasicBlock& block) const { return &block == m_head || !leads(block, block, nullptr); }

private:
    // Whether it goes on from there to there within the turn, past `without`.
    bool leads(const llvm::BasicBlock& from, const llvm::BasicBlock& to, const llvm::BasicBlock* without) const;

    llvm::BasicBlock* m_head;
    llvm::BasicBlock* m_end;
    llvm::SmallPtrSet<const llvm::BasicBlock*, 16> m_blocks;
    llvm::SmallVector<llvm::BasicBlock*, 16> m_order;
};

// Of the counter of a loop: the way into its head that is the first one.
unsigned wayIn(const llvm::PHINode& counter);

} // namespace gks::hipcpu
