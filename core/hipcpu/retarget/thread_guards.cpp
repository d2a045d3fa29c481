// SPDX-License-Identifier: GPL-3.0-or-later
// What is compared grows alike from thread to thread, or is the same for all: if the threads at the corners of the
// block pass, all do. Whether something does grow alike is asked where the block ends along each of the loops. Of a
// strip all lanes are compared at once, in vectors, whatever their conditions are made of: a domain's borders cut most
// strips near them in two.
#include "core/hipcpu/retarget/thread_guards.h"

#include "core/hipcpu/retarget/lane_strips.h"
#include "core/hipcpu/retarget/lane_values.h"
#include "core/hipcpu/retarget/thread_loop.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace gks::hipcpu {
namespace {

constexpr std::size_t mostGuarded = 1000; // instructions

struct Guard {
    llvm::BranchInst* branch;
    unsigned inside; // its successor where threads pass
};

class Guards {
public:
    Guards(const ThreadLoops& loops, const BlockSize& size, const RowAccesses& accesses)
        : m_threads(loops, size), m_accesses(accesses) {
        std::size_t instructions = 0;
        for (const llvm::BasicBlock* block : m_threads.blocks()) {
            instructions += block->size();
        }
        m_isSmall = instructions <= mostGuarded;
        m_mayBeOfSome = m_isSmall && accesses.mayBeOfSome(m_threads);
    }

    std::optional<RowLoops> leaveOut() {
        if (m_threads.loops().areRows && !m_isSmall) {
            return std::nullopt;
        }
        llvm::SmallSetVector<llvm::Value*, 16> addresses;
        llvm::SmallVector<llvm::Instruction*, 8> ofSome;
        const llvm::SmallVector<llvm::BasicBlock*, 8> ofAll = blocksOfAll();
        for (llvm::BasicBlock* block : m_mayBeOfSome ? m_threads.blocks().getArrayRef() : llvm::ArrayRef(ofAll)) {
            for (llvm::Instruction& instruction : *block) {
                llvm::Value* const address = m_accesses.addressOf(instruction);
                if (address != nullptr && m_threads.growthOf(*address) != ThreadGrowth::unknown) {
                    addresses.insert(address);
                    if (!llvm::is_contained(ofAll, block)) {
                        ofSome.push_back(&instruction);
                    }
                }
            }
        }
        if (addresses.empty() || !areWithin() || llvm::isa<llvm::PHINode>(m_threads.after().front())) {
            return std::nullopt;
        }
        for (llvm::Value* address : addresses) {
            require(m_threads.growsAlike(*address, false));
        }
        if (m_threads.loops().areRows) {
            requireRows();
        }
        if (m_passing != nullptr) {
            llvm::IRBuilder<> builder(m_threads.before());
            llvm::Value* const others = ofThreads(builder.CreateNot(m_passing));
            require(builder.CreateIsNull(m_lanes != nullptr ? builder.CreateAnd(others, m_lanes) : others));
        }
        if (m_lanes != nullptr) {
            requireLanes();
        }
        ThreadLoops loops = m_threads.loops();
        loops.firstLane = m_firstLane;
        loops.lanes = m_laneCount;
        for (llvm::Instruction* access : ofSome) {
            require(m_accesses.isInside(m_threads, loops, *access));
        }
        return RowLoops{twice(), m_mayBeOfSome};
    }

private:
    // Those that every thread comes to, past guards, and where those who pass join the others again.
    llvm::SmallVector<llvm::BasicBlock*, 8> blocksOfAll() {
        llvm::SmallVector<llvm::BasicBlock*, 8> blocks;
        const llvm::BasicBlock* const head = m_threads.loops().lane->getParent();
        llvm::BasicBlock* block = m_threads.loops().lane->getParent();
        while (block != nullptr) {
            blocks.push_back(block);
            auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
            llvm::BasicBlock* next = block->getSingleSuccessor();
            if (branch != nullptr && llvm::is_contained(branch->successors(), head)) {
                break; // the end of the loop
            }
            if (branch != nullptr && branch->isConditional()) {
                const auto isInside = [&](unsigned successor) {
                    const llvm::BasicBlock* to = branch->getSuccessor(successor);
                    return to->getSinglePredecessor() == block;
                };
                const unsigned inside = isInside(0) ? 0 : 1;
                if (!isInside(inside) || isInside(1 - inside) ||
                    !(m_threads.loops().isOfBlock() ? compare(*branch->getCondition(), inside == 0)
                                                    : compareLanes(blocks, *branch, inside))) {
                    break;
                }
                m_guards.push_back({branch, inside});
                next = branch->getSuccessor(inside);
            }
            block = next != nullptr && isOnlyWay(*block, *next) ? next : nullptr;
        }
        return blocks;
    }

    // But for those who do not pass a guard.
    bool isOnlyWay(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const {
        return llvm::all_of(llvm::predecessors(&to), [&](const llvm::BasicBlock* one) {
            return one == &from ||
                   (m_isSmall && llvm::any_of(m_guards, [&](const Guard& guard) {
                        return guard.branch->getParent() == one && guard.branch->getSuccessor(1 - guard.inside) == &to;
                    }));
        });
    }

    void require(llvm::Value* condition) {
        m_pass = m_pass == nullptr ? condition : llvm::IRBuilder<>(m_threads.before()).CreateAnd(m_pass, condition);
    }

    // Whether it is known before the loops that all threads find `isTrue` there; then what has to hold for that is with
    // the rest.
    bool compare(llvm::Value& condition, bool isTrue) {
        using namespace llvm::PatternMatch;
        llvm::Value *a = nullptr, *b = nullptr;
        if (isTrue ? match(&condition, m_LogicalAnd(m_Value(a), m_Value(b)))
                   : match(&condition, m_LogicalOr(m_Value(a), m_Value(b)))) {
            return compare(*a, isTrue) && compare(*b, isTrue);
        }
        if (match(&condition, m_Not(m_Value(a)))) {
            return compare(*a, !isTrue);
        }
        auto* const comparison = llvm::dyn_cast<llvm::ICmpInst>(&condition);
        if (comparison == nullptr || !comparison->getOperand(0)->getType()->isIntegerTy()) {
            return false;
        }
        auto predicate = isTrue ? comparison->getPredicate() : comparison->getInversePredicate();
        if (predicate == llvm::CmpInst::ICMP_NE && match(comparison->getOperand(1), m_Zero())) {
            predicate = llvm::CmpInst::ICMP_UGT;
        }
        if (!llvm::CmpInst::isRelational(predicate)) {
            return false;
        }
        return passAtCorners(predicate, *comparison->getOperand(0), *comparison->getOperand(1)) ||
               passAtCorners(llvm::CmpInst::getSwappedPredicate(predicate), *comparison->getOperand(1),
                             *comparison->getOperand(0));
    }

    bool passAtCorners(llvm::CmpInst::Predicate predicate, llvm::Value& growing, llvm::Value& limit) {
        const ThreadGrowth::Growth growth = m_threads.growthOf(growing);
        if (growth == ThreadGrowth::unknown || m_threads.growthOf(limit) != ThreadGrowth::none) {
            return false;
        }
        const bool isSigned = llvm::CmpInst::isSigned(predicate);
        llvm::Value* const first = m_threads.at(growing, ThreadGrowth::origin);
        llvm::Value* const most = m_threads.at(limit, ThreadGrowth::origin);
        require(m_threads.growsAlike(growing, isSigned));
        // Twice as wide, so that nothing wraps round.
        llvm::IRBuilder<> builder(m_threads.before());
        llvm::Type* const type = growing.getType();
        llvm::Type* const wide = builder.getIntNTy(2 * type->getIntegerBitWidth());
        const auto widened = [&](llvm::Value* value) {
            return isSigned ? builder.CreateSExt(value, wide) : builder.CreateZExt(value, wide);
        };
        llvm::SmallVector<llvm::Value*, 16> corners = {widened(first)};
        for (const ThreadGrowth::Axis& axis : ThreadGrowth::axes) {
            if ((growth & axis.growth) == 0) {
                continue;
            }
            llvm::Value* const end = m_threads.at(growing, axis.last);
            builder.SetInsertPoint(m_threads.before());
            llvm::Value* const grown = builder.CreateSub(widened(end), widened(first));
            for (llvm::Value* corner : llvm::SmallVector<llvm::Value*, 16>(corners)) {
                corners.push_back(builder.CreateAdd(corner, grown));
            }
        }
        for (llvm::Value* corner : corners) {
            require(builder.CreateICmpEQ(widened(builder.CreateTrunc(corner, type)), corner));
            require(builder.CreateICmp(predicate, corner, widened(most)));
        }
        return true;
    }

    // The lanes that pass, as bits. The others are left out if they have done nothing before and do nothing behind;
    // else all that are there have to pass.
    bool compareLanes(llvm::ArrayRef<llvm::BasicBlock*> before, const llvm::BranchInst& branch, unsigned inside) {
        const bool areLeftOut = endsAtOnce(*branch.getSuccessor(1 - inside)) &&
                                llvm::all_of(before, [](const llvm::BasicBlock* one) { return doesNothing(*one); });
        llvm::Value* const passes =
            areLeftOut || (m_isSmall && !m_mayBeOfSome) ? m_ofLanes.of(*branch.getCondition()) : nullptr;
        if (passes == nullptr) {
            return false;
        }
        llvm::IRBuilder<> builder(m_threads.before());
        llvm::Value* bits = builder.CreateBitCast(passes, builder.getIntNTy(laneStrip));
        bits = inside == 0 ? bits : builder.CreateNot(bits);
        llvm::Value*& known = areLeftOut ? m_lanes : m_passing;
        known = known == nullptr ? bits : builder.CreateAnd(known, bits);
        return true;
    }

    static bool doesNothing(const llvm::BasicBlock& block) {
        return llvm::none_of(block, [](const llvm::Instruction& one) { return one.mayHaveSideEffects(); });
    }

    // Whether a thread that comes here does nothing more in its turn.
    bool endsAtOnce(const llvm::BasicBlock& outside) const {
        const llvm::BasicBlock* const head = m_threads.loops().lane->getParent();
        const llvm::BasicBlock* block = &outside;
        while (doesNothing(*block)) {
            if (llvm::is_contained(llvm::successors(block), head)) {
                return true;
            }
            block = block->getSingleSuccessor();
            if (block == nullptr) {
                return false;
            }
        }
        return false;
    }

    // A wave has whole ones of these.
    void requireRows() {
        llvm::IRBuilder<> builder(m_threads.before());
        llvm::Value* const lanes = m_threads.lanes();
        llvm::Value* const bits = builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, lanes);
        require(builder.CreateAnd(builder.CreateICmpULT(lanes, builder.getInt32(laneStrip)),
                                  builder.CreateICmpEQ(bits, builder.getInt32(1))));
    }
    // Lanes as bits, without those that a short row does not have.
    llvm::Value* ofThreads(llvm::Value* bits) {
        if (!m_threads.loops().areRows) {
            return bits;
        }
        llvm::IRBuilder<> builder(m_threads.before());
        llvm::Value* const none =
            builder.CreateShl(builder.getInt64(~std::uint64_t{0}),
                              builder.CreateAnd(builder.CreateZExt(m_threads.lanes(), builder.getInt64Ty()), 63));
        return builder.CreateAnd(bits, builder.CreateTrunc(builder.CreateNot(none), bits->getType()));
    }

    // Where not all lanes pass: those that do lie side by side.
    void requireLanes() {
        llvm::IRBuilder<> builder(m_threads.before());
        m_lanes = ofThreads(m_lanes);
        llvm::Type* const type = m_lanes->getType();
        llvm::Value* const first =
            builder.CreateIntrinsic(llvm::Intrinsic::cttz, {type}, {m_lanes, builder.getFalse()});
        llvm::Value* const some = builder.CreateIsNotNull(m_lanes);
        llvm::Value* const moved =
            builder.CreateLShr(m_lanes, builder.CreateSelect(some, first, llvm::ConstantInt::get(type, 0)));
        llvm::Value* const next = builder.CreateAdd(moved, llvm::ConstantInt::get(type, 1));
        require(builder.CreateAnd(some, builder.CreateIsNull(builder.CreateAnd(moved, next))));
        m_firstLane = builder.CreateZExt(first, builder.getInt32Ty());
        m_laneCount =
            builder.CreateZExt(builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, m_lanes), builder.getInt32Ty());
    }

    // The copy's loop goes over these alone.
    void narrow(llvm::PHINode& lane, llvm::BasicBlock* entry) {
        llvm::IRBuilder<> builder(entry->getTerminator());
        lane.setIncomingValueForBlock(entry, m_firstLane);
        llvm::Value* const end = builder.CreateAdd(m_firstLane, m_laneCount);
        for (llvm::BasicBlock* latch : llvm::predecessors(lane.getParent())) {
            if (latch != entry) {
                auto* const branch = llvm::cast<llvm::BranchInst>(latch->getTerminator());
                builder.SetInsertPoint(branch);
                branch->setCondition(builder.CreateICmpULT(lane.getIncomingValueForBlock(latch), end));
            }
        }
    }

    // Nobody behind the loops uses a value of theirs.
    bool areWithin() const {
        return llvm::all_of(m_threads.blocks(), [&](const llvm::BasicBlock* block) {
            return llvm::all_of(*block, [&](const llvm::Instruction& instruction) {
                return llvm::all_of(instruction.users(), [&](const llvm::User* user) {
                    const auto* by = llvm::dyn_cast<llvm::Instruction>(user);
                    return by != nullptr && m_threads.blocks().contains(const_cast<llvm::BasicBlock*>(by->getParent()));
                });
            });
        });
    }

    ThreadLoops twice() {
        llvm::Instruction* const end = m_threads.before();
        llvm::BasicBlock* const before = end->getParent();
        llvm::BasicBlock* const head = m_threads.blocks().front();
        llvm::ValueToValueMapTy copies;
        llvm::SmallVector<llvm::BasicBlock*, 16> copied;
        for (llvm::BasicBlock* block : m_threads.blocks()) {
            copied.push_back(llvm::CloneBasicBlock(block, copies, ".all", before->getParent()));
            copies[block] = copied.back();
        }
        llvm::remapInstructionsInBlocks(copied, copies);
        const auto enter = [&](llvm::BasicBlock* loops, const char* name) {
            llvm::BasicBlock* const entry =
                llvm::BasicBlock::Create(before->getContext(), name, before->getParent(), loops);
            llvm::BranchInst::Create(loops, entry);
            loops->replacePhiUsesWith(before, entry);
            return entry;
        };
        llvm::BasicBlock* const all = enter(copied.front(), "all");
        llvm::BasicBlock* const some = enter(head, "some");
        llvm::IRBuilder<> builder(end);
        builder.CreateCondBr(m_pass, all, some);
        end->eraseFromParent();
        for (const Guard& guard : m_guards) {
            auto* const branch = llvm::cast<llvm::BranchInst>(static_cast<llvm::Value*>(copies[guard.branch]));
            branch->getSuccessor(1 - guard.inside)->removePredecessor(branch->getParent());
            llvm::BranchInst::Create(branch->getSuccessor(guard.inside), branch->getIterator());
            branch->eraseFromParent();
        }
        const auto copyOf = [&](llvm::PHINode* counter) {
            return counter == nullptr ? nullptr : llvm::cast<llvm::PHINode>(static_cast<llvm::Value*>(copies[counter]));
        };
        const ThreadLoops& loops = m_threads.loops();
        if (m_lanes != nullptr) {
            narrow(*copyOf(loops.lane), all);
        }
        return {copyOf(loops.z), copyOf(loops.y), copyOf(loops.x), copyOf(loops.lane),
                m_firstLane,     m_laneCount,     loops.areRows};
    }

    ThreadGrowth m_threads;
    LaneValues m_ofLanes = LaneValues(m_threads);
    const RowAccesses& m_accesses;
    bool m_mayBeOfSome = false;
    bool m_isSmall = false; // else guards within are left as they are: it would be there twice for little
    llvm::SmallVector<Guard, 2> m_guards;
    llvm::Value* m_pass = nullptr;    // all threads pass them, and all addresses grow alike
    llvm::Value* m_lanes = nullptr;   // of a strip with guards: the lanes that pass, as bits
    llvm::Value* m_passing = nullptr; // likewise, where those that do not go on behind
    llvm::Value* m_firstLane = nullptr;
    llvm::Value* m_laneCount = nullptr;
};

} // namespace

std::optional<RowLoops> loopsOfRows(const ThreadLoops& loops, const BlockSize& size, const RowAccesses& accesses) {
    return Guards(loops, size, accesses).leaveOut();
}

} // namespace gks::hipcpu
