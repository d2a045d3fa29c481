// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/uniformity.h"

#include "core/hipcpu/retarget/item_function.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassManager.h>

namespace gks::hipcpu {
namespace {

// LLVM asks a target where differences between threads come from. The host has no such idea: this is the device's.
class BlockOfThreads final : public llvm::TargetTransformInfoImplCRTPBase<BlockOfThreads> {
    using Base = llvm::TargetTransformInfoImplCRTPBase<BlockOfThreads>;

public:
    BlockOfThreads(const llvm::DataLayout& layout, bool hasAtomics) : Base(layout), m_hasAtomics(hasAtomics) {}

    bool hasBranchDivergence(const llvm::Function* = nullptr) const { return true; }
    bool isSourceOfDivergence(const llvm::Value* value) const {
        if (const auto* argument = llvm::dyn_cast<llvm::Argument>(value)) {
            return isOfTheThread(*argument);
        }
        if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value)) {
            const bool isConstant = load->hasMetadata(llvm::LLVMContext::MD_invariant_load);
            return !load->isSimple() || (m_hasAtomics && !isConstant);
        }
        // LLVM has it that all threads share what only some of them have.
        if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(value)) {
            return llvm::any_of(phi->incoming_values(),
                                [](const llvm::Value* from) { return llvm::isa<llvm::UndefValue>(from); });
        }
        if (const auto* call = llvm::dyn_cast<llvm::CallBase>(value)) {
            return !call->doesNotAccessMemory() && !isCallOf(*call, item::outcome);
        }
        return llvm::isa<llvm::AllocaInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(value);
    }

private:
    bool m_hasAtomics;
};

bool ordersThreads(const llvm::Function& item) {
    return llvm::any_of(llvm::instructions(item), [](const llvm::Instruction& instruction) {
        return instruction.isVolatile() || (instruction.isAtomic() && !llvm::isa<llvm::FenceInst>(instruction));
    });
}

} // namespace

struct Uniformity::Analyses {
    llvm::FunctionAnalysisManager manager;
    llvm::UniformityInfo* uniformity = nullptr;
    llvm::PostDominatorTree* postDominators = nullptr;
    llvm::SmallPtrSet<const llvm::BasicBlock*, 16> reachedBySome;
    llvm::SmallPtrSet<const llvm::BasicBlock*, 16> silent; // nothing is done from here to the end

    explicit Analyses(llvm::Function& item) {
        manager.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
        manager.registerPass([] { return llvm::DominatorTreeAnalysis(); });
        manager.registerPass([] { return llvm::PostDominatorTreeAnalysis(); });
        manager.registerPass([] { return llvm::CycleAnalysis(); });
        manager.registerPass([] { return llvm::UniformityInfoAnalysis(); });
        manager.registerPass([] {
            return llvm::TargetIRAnalysis([](const llvm::Function& function) {
                return llvm::TargetTransformInfo(BlockOfThreads(function.getDataLayout(), ordersThreads(function)));
            });
        });
        uniformity = &manager.getResult<llvm::UniformityInfoAnalysis>(item);
        postDominators = &manager.getResult<llvm::PostDominatorTreeAnalysis>(item);
        findSilent(item);
        for (const llvm::BasicBlock& block : item) {
            if (block.getTerminator()->getNumSuccessors() > 1 && uniformity->hasDivergentTerminator(block)) {
                markControlled(block);
            }
        }
    }

    void findSilent(const llvm::Function& item) {
        for (bool changed = true; changed;) {
            changed = false;
            for (const llvm::BasicBlock& block : item) {
                const bool leadsToEnd = llvm::isa<llvm::ReturnInst>(block.getTerminator()) ||
                                        (llvm::succ_begin(&block) != llvm::succ_end(&block) &&
                                         llvm::all_of(llvm::successors(&block), [&](const llvm::BasicBlock* next) {
                                             return silent.contains(next);
                                         }));
                if (leadsToEnd && llvm::none_of(block, [](const llvm::Instruction& instruction) {
                        return instruction.mayHaveSideEffects();
                    })) {
                    changed = silent.insert(&block).second || changed;
                }
            }
        }
    }

    // Between a branch that threads take differently and the place where all of them meet again. Threads that only end
    // do not count: the others go on together.
    void markControlled(const llvm::BasicBlock& branch) {
        if (llvm::count_if(llvm::successors(&branch),
                           [&](const llvm::BasicBlock* next) { return !silent.contains(next); }) <= 1) {
            return;
        }
        const auto* node = postDominators->getNode(&branch);
        const llvm::BasicBlock* join =
            node != nullptr && node->getIDom() != nullptr ? node->getIDom()->getBlock() : nullptr;
        llvm::SmallVector<const llvm::BasicBlock*, 16> open(llvm::succ_begin(&branch), llvm::succ_end(&branch));
        while (!open.empty()) {
            const llvm::BasicBlock* block = open.pop_back_val();
            if (block != join && reachedBySome.insert(block).second) {
                open.append(llvm::succ_begin(block), llvm::succ_end(block));
            }
        }
    }
};

Uniformity::Uniformity(llvm::Function& item) : m_analyses(std::make_unique<Analyses>(item)) {}
Uniformity::~Uniformity() = default;

bool Uniformity::isUniform(const llvm::Value& value) const {
    return m_analyses->uniformity->isUniform(&value);
}

bool Uniformity::isUniform(const llvm::Use& use) const {
    return !m_analyses->uniformity->isDivergentUse(use);
}

bool Uniformity::hasUniformEnd(const llvm::BasicBlock& block) const {
    return !m_analyses->uniformity->hasDivergentTerminator(block);
}

bool Uniformity::isReachedByAll(const llvm::BasicBlock& block) const {
    return !m_analyses->reachedBySome.contains(&block);
}

} // namespace gks::hipcpu
