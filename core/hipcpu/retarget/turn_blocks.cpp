// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/turn_blocks.h"

#include <algorithm>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <utility>

namespace gks::hipcpu {

unsigned wayIn(const llvm::PHINode& counter) {
    const auto* next = llvm::dyn_cast<llvm::Instruction>(counter.getIncomingValue(1));
    return next != nullptr && llvm::is_contained(next->operands(), &counter) ? 0 : 1;
}

TurnBlocks::TurnBlocks(const llvm::PHINode& lane)
    : m_head(const_cast<llvm::BasicBlock*>(lane.getParent())), m_end(lane.getIncomingBlock(1 - wayIn(lane))) {
    llvm::SmallSetVector<llvm::BasicBlock*, 16> blocks;
    blocks.insert(m_head);
    blocks.insert(m_end);
    for (std::size_t i = 1; i < blocks.size(); ++i) {
        blocks.insert(llvm::pred_begin(blocks[i]), llvm::pred_end(blocks[i]));
    }
    m_blocks.insert(blocks.begin(), blocks.end());
    llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen;
    llvm::SmallVector<std::pair<llvm::BasicBlock*, llvm::succ_iterator>, 16> path;
    const auto enter = [&](llvm::BasicBlock* block) {
        if (m_blocks.contains(block) && seen.insert(block).second) {
            path.emplace_back(block, llvm::succ_begin(block));
        }
    };
    enter(m_head);
    while (!path.empty()) {
        auto& [block, next] = path.back();
        if (next == llvm::succ_end(block)) {
            m_order.push_back(block);
            path.pop_back();
        } else {
            enter(*next++);
        }
    }
    std::reverse(m_order.begin(), m_order.end());
}

bool TurnBlocks::leads(const llvm::BasicBlock& from, const llvm::BasicBlock& to,
                       const llvm::BasicBlock* without) const {
    llvm::SmallPtrSet<const llvm::BasicBlock*, 16> found;
    llvm::SmallVector<const llvm::BasicBlock*, 16> open = {&from};
    while (!open.empty()) {
        for (const llvm::BasicBlock* next : llvm::successors(open.pop_back_val())) {
            if (next == &to) {
                return true;
            }
            if (m_blocks.contains(next) && next != m_head && next != without && found.insert(next).second) {
                open.push_back(next);
            }
        }
    }
    return false;
}

} // namespace gks::hipcpu
