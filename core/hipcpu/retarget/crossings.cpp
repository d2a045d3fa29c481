// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/crossings.h"

#include "core/hipcpu/retarget/regions.h"
#include "core/hipcpu/retarget/uniformity.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

namespace gks::hipcpu {
namespace {

constexpr unsigned deepestChain = 24; // of instructions that are made again

// Where values live when a block begins.
class Liveness {
public:
    void addUsesOf(llvm::Instruction& value) {
        for (llvm::Use& use : value.uses()) {
            auto* user = llvm::cast<llvm::Instruction>(use.getUser());
            if (auto* phi = llvm::dyn_cast<llvm::PHINode>(user)) {
                liveAtEnd(value, *phi->getIncomingBlock(use));
            } else if (user->getParent() != value.getParent()) {
                liveAtBegin(value, *user->getParent());
            }
        }
    }
    void liveAtBegin(llvm::Instruction& value, llvm::BasicBlock& block) {
        auto& alive = m_blocks[&value];
        llvm::SmallVector<llvm::BasicBlock*, 16> open = {&block};
        while (!open.empty()) {
            llvm::BasicBlock* at = open.pop_back_val();
            if (at != value.getParent() && alive.insert(at).second) {
                open.append(llvm::pred_begin(at), llvm::pred_end(at));
            }
        }
    }
    bool isLive(const llvm::Instruction& value, const llvm::BasicBlock& block) const {
        const auto found = m_blocks.find(&value);
        return found != m_blocks.end() && found->second.contains(&block);
    }

private:
    void liveAtEnd(llvm::Instruction& value, llvm::BasicBlock& block) { liveAtBegin(value, block); }

    llvm::DenseMap<const llvm::Instruction*, llvm::DenseSet<const llvm::BasicBlock*>> m_blocks;
};

bool isCheap(const llvm::Instruction& instruction) {
    if (const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
        switch (operation->getOpcode()) {
        case llvm::Instruction::UDiv:
        case llvm::Instruction::SDiv:
        case llvm::Instruction::URem:
        case llvm::Instruction::SRem:
            return llvm::isa<llvm::ConstantInt>(operation->getOperand(1));
        default:
            return operation->getType()->isIntegerTy();
        }
    }
    return llvm::isa<llvm::GetElementPtrInst, llvm::ICmpInst, llvm::SelectInst, llvm::ZExtInst, llvm::SExtInst,
                     llvm::TruncInst, llvm::FreezeInst, llvm::PtrToIntInst, llvm::IntToPtrInst>(instruction);
}

class Crossings {
public:
    Crossings(llvm::Function& item, const Uniformity& uniformity, Regions& into)
        : m_uniformity(uniformity), m_regions(into) {
        llvm::SmallVector<llvm::Instruction*, 64> values;
        for (llvm::BasicBlock& block : item) {
            for (llvm::Instruction& value : block) {
                if (!value.getType()->isVoidTy() && !value.use_empty()) {
                    m_liveness.addUsesOf(value);
                    values.push_back(&value);
                }
            }
        }
        for (llvm::Instruction* value : values) {
            if (crosses(*value)) {
                m_crosses.insert(value);
            }
        }
        // Backwards, since what is made again asks for what comes before it.
        for (const llvm::Instruction* value : m_crosses.getArrayRef()) {
            if (!isUniform(*value) && canBeMadeAgain(*value, 0)) {
                m_madeAgain.insert(value);
            }
        }
        for (llvm::Instruction* value : llvm::to_vector(m_crosses.getArrayRef())) {
            if (m_madeAgain.contains(value)) {
                needLeaves(*value, *value);
            }
        }
        for (llvm::Instruction* value : values) {
            add(*value);
        }
    }

private:
    // Of those that have parted only some make a value, and the block would not know whose it is.
    bool isUniform(const llvm::Instruction& value) const {
        return !m_regions.parted.contains(value.getParent()) && m_uniformity.isUniform(value) &&
               llvm::all_of(value.uses(), [&](const llvm::Use& use) { return m_uniformity.isUniform(use); });
    }
    bool crosses(const llvm::Instruction& value) const {
        return llvm::any_of(llvm::drop_begin(m_regions.regions),
                            [&](const Region& region) { return m_liveness.isLive(value, *region.entry); });
    }
    // From constants, the function's arguments, what is the same for all, and what crosses anyway.
    bool canBeMadeAgain(const llvm::Instruction& value, unsigned depth) const {
        return depth < deepestChain && isCheap(value) &&
               llvm::all_of(
                   value.operands(),
                   [&](const llvm::Value* operand) {
                       const auto* from = llvm::dyn_cast<llvm::Instruction>(operand);
                       return from == nullptr || isUniform(*from) || canBeMadeAgain(*from, depth + 1) ||
                              (m_crosses.contains(const_cast<llvm::Instruction*>(from)));
                   });
    }
    // Where `value` is live, that from which `part` of it is made has to be.
    void needLeaves(const llvm::Instruction& value, const llvm::Instruction& part) {
        for (llvm::Value* operand : const_cast<llvm::Instruction&>(part).operands()) {
            auto* from = llvm::dyn_cast<llvm::Instruction>(operand);
            if (from == nullptr) {
                continue;
            }
            if (!isUniform(*from) && canBeMadeAgain(*from, 0)) {
                needLeaves(value, *from);
                continue;
            }
            for (const Region& region : llvm::drop_begin(m_regions.regions)) {
                if (m_liveness.isLive(value, *region.entry)) {
                    m_liveness.liveAtBegin(*from, *region.entry);
                }
            }
        }
    }
    void add(llvm::Instruction& value) {
        Crossing crossing;
        for (unsigned i = 1; i < m_regions.regions.size(); ++i) {
            if (m_liveness.isLive(value, *m_regions.regions[i].entry)) {
                crossing.regions.push_back(i);
            }
        }
        if (crossing.regions.empty()) {
            return;
        }
        crossing.kind = isUniform(value)               ? Crossing::Kind::uniform
                        : m_madeAgain.contains(&value) ? Crossing::Kind::madeAgain
                                                       : Crossing::Kind::ofThread;
        m_regions.crossings[&value] = std::move(crossing);
    }

    const Uniformity& m_uniformity;
    Regions& m_regions;
    Liveness m_liveness;
    llvm::SetVector<llvm::Instruction*> m_crosses;
    llvm::DenseSet<const llvm::Instruction*> m_madeAgain;
};

} // namespace

void findCrossings(llvm::Function& item, const Uniformity& uniformity, Regions& regions) {
    Crossings(item, uniformity, regions);
}

} // namespace gks::hipcpu
