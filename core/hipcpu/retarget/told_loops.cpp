// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/told_loops.h"

#include "core/hipcpu/retarget/flatten.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace gks::hipcpu {
namespace {

// LLVM's own limit is 300, and 1200 where it sees that much falls away in the end.
constexpr std::uint64_t mostInstructions = 600;

bool isTell(const llvm::Instruction& instruction) {
    const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const llvm::Function* const callee = call != nullptr ? call->getCalledFunction() : nullptr;
    return callee != nullptr &&
           llvm::is_contained({"hipcpu_access_of", "hipcpu_access_begin_of", "hipcpu_private_of"}, callee->getName());
}

bool isFree(const llvm::Instruction& instruction) {
    const auto* const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    return llvm::isa<llvm::PHINode>(instruction) || instruction.hasMetadata(mark::toldValue) ||
           (intrinsic != nullptr && intrinsic->isAssumeLikeIntrinsic());
}

struct Size {
    std::uint64_t instructions = 0; // but what tells
    bool tells = false;
};

class Loops {
public:
    explicit Loops(llvm::Function& item)
        : m_dominators(item)
        , m_loops(m_dominators)
        , m_assumptions(item)
        , m_library(m_functions)
        , m_evolution(item, m_library, m_assumptions, m_dominators, m_loops) {}

    void mark() {
        for (llvm::Loop* loop : m_loops) {
            mark(*loop);
        }
    }

private:
    // Of all its turns, as far as they become code of their own.
    Size mark(llvm::Loop& loop) {
        Size size;
        const auto add = [&](const Size& part) {
            size.instructions += part.instructions;
            size.tells = size.tells || part.tells;
        };
        for (llvm::Loop* inner : loop) {
            add(mark(*inner));
        }
        for (const llvm::BasicBlock* block : loop.blocks()) {
            if (m_loops.getLoopFor(block) == &loop) {
                add(sizeOf(*block));
            }
        }
        const std::uint64_t turns = turnsOf(loop);
        if (turns == 0 || turns > mostInstructions || size.instructions * turns > mostInstructions) {
            return size;
        }
        if (size.tells && llvm::hasUnrollTransformation(&loop) == llvm::TM_Unspecified) {
            loop.setLoopID(marked(loop));
        }
        size.instructions *= turns;
        return size;
    }

    // 0: not known.
    std::uint64_t turnsOf(const llvm::Loop& loop) {
        const std::uint64_t starts = m_evolution.getSmallConstantTripCount(&loop);
        const bool endsWhereItStarts = loop.isLoopExiting(loop.getHeader()) && loop.getHeader() != loop.getLoopLatch();
        return starts != 0 && endsWhereItStarts ? starts - 1 : starts;
    }

    static Size sizeOf(const llvm::BasicBlock& block) {
        Size size;
        for (const llvm::Instruction& instruction : block) {
            size.tells = size.tells || isTell(instruction);
            size.instructions += isTell(instruction) || isFree(instruction) ? 0 : 1;
        }
        return size;
    }

    static llvm::MDNode* marked(const llvm::Loop& loop) {
        llvm::LLVMContext& context = loop.getHeader()->getContext();
        return llvm::makePostTransformationMetadata(
            context, loop.getLoopID(), {},
            {llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.full"))});
    }

    llvm::DominatorTree m_dominators;
    llvm::LoopInfo m_loops;
    llvm::AssumptionCache m_assumptions;
    llvm::TargetLibraryInfoImpl m_functions;
    llvm::TargetLibraryInfo m_library;
    llvm::ScalarEvolution m_evolution;
};

} // namespace

void unrollAsUntold(llvm::Function& item) {
    Loops(item).mark();
}

} // namespace gks::hipcpu
