// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/next_cuts.h"

#include "core/hipcpu/retarget/item_function.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace gks::hipcpu {
namespace {

std::optional<Cut::Kind> synchronisation(const llvm::Instruction& instruction) {
    for (const auto& [name, kind] :
         {std::pair(item::barrier, Cut::Kind::barrier), std::pair(item::toldBarrier, Cut::Kind::barrier),
          std::pair(item::deposit, Cut::Kind::exchange), std::pair(item::vote, Cut::Kind::vote),
          std::pair(item::matrix, Cut::Kind::matrix)}) {
        if (isCallOf(instruction, name)) {
            return kind;
        }
    }
    return {};
}

void splitAtSynchronisation(llvm::Function& item) {
    llvm::SmallVector<llvm::Instruction*, 16> found;
    for (llvm::BasicBlock& block : item) {
        for (llvm::Instruction& instruction : block) {
            if (synchronisation(instruction)) {
                found.push_back(&instruction);
            }
        }
    }
    for (llvm::Instruction* call : found) {
        llvm::SplitBlock(call->getParent(), call->getNextNode());
    }
}

} // namespace

llvm::Instruction* synchronisationOf(llvm::BasicBlock& block) {
    llvm::Instruction* before = block.getTerminator()->getPrevNode();
    return before != nullptr && synchronisation(*before) ? before : nullptr;
}

bool hasSeveralEnds(const llvm::BasicBlock& block) {
    return block.getTerminator()->getNumSuccessors() > 1;
}

NextCuts::NextCuts(llvm::Function& item) : m_item(item) {
    splitAtSynchronisation(item);
    for (llvm::BasicBlock& block : item) {
        if (llvm::Instruction* call = synchronisationOf(block)) {
            add(*synchronisation(*call), block);
        }
    }
}

void NextCuts::add(Cut::Kind kind, llvm::BasicBlock& block) {
    m_cutOf[&block] = end();
    m_cuts.push_back({kind, &block});
}

void NextCuts::find() {
    m_next.clear();
    const unsigned count = end() + 1;
    for (llvm::BasicBlock& block : m_item) {
        m_next[&block].resize(count);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (llvm::BasicBlock* block : llvm::post_order(&m_item)) {
            llvm::BitVector next = m_next[block];
            if (isCut(*block)) {
                next.set(cutOf(*block));
            } else if (llvm::isa<llvm::ReturnInst>(block->getTerminator())) {
                next.set(end());
            } else {
                for (llvm::BasicBlock* successor : llvm::successors(block)) {
                    next |= m_next[successor];
                }
            }
            if (next != m_next[block]) {
                m_next[block] = std::move(next);
                changed = true;
            }
        }
    }
}

} // namespace gks::hipcpu
