// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes of a wave make each step together, and waves that nothing orders come in any order: what the threads of a
// region read before any of them writes may be told of all before the loops. The addresses have to grow alike from
// thread to thread, which is seen from how they are computed: sums, products with what is the same for all, wider and
// narrower integers. Before the loops they are computed for the first thread, its neighbours and the last one; an
// address that wraps round in between lies at neither end.
#include "core/hipcpu/retarget/told_ranges.h"

#include "core/hipcpu/abi.h"
#include "core/hipcpu/retarget/item_function.h"
#include "core/hipcpu/retarget/lane_strips.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace gks::hipcpu {
namespace {

constexpr const char* accessOfThread = "hipcpu_access_of";
constexpr const char* readsOfStrip = "hipcpu_reads_of";
constexpr const char* readsOfBlock = "hipcpu_reads_of_block";
namespace told {
enum Operand : unsigned { address, bytes, kind, value, site, object, thread };
} // namespace told

// What an address is computed for.
enum Point : unsigned { origin, nextLane, nextStrip, nextRow, nextPlane, last, points };

class Strips {
public:
    Strips(const ThreadLoops& loops, const std::array<llvm::Value*, 3>& size)
        : m_loops(loops), m_size(size), m_first(loops.z != nullptr ? loops.z : loops.lane) {
        const unsigned outside = llvm::isa<llvm::Constant>(m_first->getIncomingValue(0)) ? 0 : 1;
        m_before = m_first->getIncomingBlock(outside);
        llvm::SetVector<llvm::BasicBlock*> open;
        open.insert(m_first->getIncomingBlock(1 - outside));
        for (std::size_t i = 0; i < open.size(); ++i) {
            if (open[i] != m_first->getParent()) {
                open.insert(llvm::pred_begin(open[i]), llvm::pred_end(open[i]));
            }
        }
        m_blocks.insert(m_first->getParent());
        m_blocks.insert(open.begin(), open.end());
    }

    bool tellAtOnce() {
        llvm::DenseMap<std::pair<llvm::Value*, llvm::Value*>, llvm::CallInst*> known;
        for (llvm::CallInst* read : readsOfAll()) {
            llvm::Value* const address = read->getArgOperand(told::address);
            if (growthOf(*address) == unknown || growthOf(*read->getArgOperand(told::object)) != none) {
                continue;
            }
            llvm::CallInst*& once = known[{address, read->getArgOperand(told::bytes)}];
            if (once == nullptr) {
                once = tell(*read);
            }
            read->eraseFromParent();
        }
        return llvm::any_of(m_blocks, [](const llvm::BasicBlock* block) {
            return llvm::any_of(*block, [](const llvm::Instruction& instruction) { return isTell(instruction); });
        });
    }

private:
    // From thread to thread: a bit for each of the loops.
    using Growth = unsigned;
    static constexpr Growth none = 0, byLane = 1, byStrip = 2, byRow = 4, byPlane = 8, unknown = 16;

    static bool isTell(const llvm::Instruction& instruction) {
        const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        return call != nullptr && call->getCalledFunction() != nullptr &&
               call->getCalledFunction()->getName().starts_with("hipcpu_");
    }
    static bool isRead(const llvm::Instruction& instruction) {
        if (!isCallOf(instruction, accessOfThread)) {
            return false;
        }
        const auto& call = llvm::cast<llvm::CallInst>(instruction);
        const auto* kind = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(told::kind));
        return kind != nullptr && kind->getZExtValue() == static_cast<std::uint64_t>(AccessKind::read) &&
               llvm::isa<llvm::ConstantInt>(call.getArgOperand(told::bytes));
    }

    // In the blocks that every thread comes to, before anything else than a read is told.
    llvm::SmallVector<llvm::CallInst*, 16> readsOfAll() const {
        llvm::SmallVector<llvm::CallInst*, 16> reads;
        const llvm::BasicBlock* const head = m_loops.lane->getParent();
        for (llvm::BasicBlock* block = m_loops.lane->getParent(); block != nullptr;) {
            for (llvm::Instruction& instruction : *block) {
                if (isRead(instruction)) {
                    reads.push_back(llvm::cast<llvm::CallInst>(&instruction));
                } else if (llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction) &&
                           instruction.mayHaveSideEffects()) {
                    return reads;
                }
            }
            llvm::BasicBlock* const next = block->getSingleSuccessor();
            block = next != nullptr && next != head && next->getSinglePredecessor() == block ? next : nullptr;
        }
        return reads;
    }

    Growth growthOf(llvm::Value& value) {
        auto* const instruction = llvm::dyn_cast<llvm::Instruction>(&value);
        if (instruction == nullptr || !m_blocks.contains(instruction->getParent())) {
            return none;
        }
        for (const auto& [counter, growth] : {std::pair(m_loops.lane, byLane), std::pair(m_loops.x, byStrip),
                                              std::pair(m_loops.y, byRow), std::pair(m_loops.z, byPlane)}) {
            if (instruction == counter) {
                return growth;
            }
        }
        const auto [known, isNew] = m_growth.try_emplace(&value, unknown);
        if (!isNew) {
            return known->second;
        }
        const Growth growth = computed(*instruction);
        return m_growth[&value] = growth;
    }

    Growth computed(llvm::Instruction& instruction) {
        if (llvm::isa<llvm::PHINode, llvm::CallBase>(instruction) || instruction.mayReadOrWriteMemory() ||
            instruction.isTerminator() || instruction.getType()->isVectorTy()) {
            return unknown;
        }
        Growth all = none;
        for (llvm::Value* operand : instruction.operands()) {
            all |= growthOf(*operand);
        }
        if ((all & unknown) != 0) {
            return unknown;
        }
        if (all == none) { // may it be computed where it is not needed?
            return instruction.isIntDivRem() && !llvm::isa<llvm::ConstantInt>(instruction.getOperand(1)) ? unknown
                                                                                                         : none;
        }
        const auto isSame = [&](unsigned operand) { return growthOf(*instruction.getOperand(operand)) == none; };
        switch (instruction.getOpcode()) {
        case llvm::Instruction::Add:
        case llvm::Instruction::Sub:
        case llvm::Instruction::ZExt:
        case llvm::Instruction::SExt:
        case llvm::Instruction::Trunc:
        case llvm::Instruction::GetElementPtr:
        case llvm::Instruction::Freeze:
            return all;
        case llvm::Instruction::Or:
            return llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint() ? all : unknown;
        case llvm::Instruction::Mul:
            return isSame(0) || isSame(1) ? all : unknown;
        case llvm::Instruction::Shl:
            return isSame(1) ? all : unknown;
        case llvm::Instruction::Select:
            return isSame(0) ? all : unknown;
        default:
            return unknown;
        }
    }

    // Which counters differ from those of the first thread.
    static Growth moved(Point point) {
        constexpr Growth all[points] = {none, byLane, byStrip, byRow, byPlane, byLane | byStrip | byRow | byPlane};
        return all[point];
    }
    llvm::Value* counterAt(const llvm::PHINode* counter, Point point, llvm::IRBuilder<>& builder) {
        const auto value = [&](Point next, unsigned step, llvm::Value* end) -> llvm::Value* {
            return point == last   ? builder.CreateSub(end, builder.getInt32(step))
                   : point == next ? builder.getInt32(step)
                                   : builder.getInt32(0);
        };
        return counter == m_loops.lane ? value(nextLane, 1, builder.getInt32(laneStrip))
               : counter == m_loops.x  ? value(nextStrip, laneStrip, m_size[0])
               : counter == m_loops.y  ? value(nextRow, 1, m_size[1])
                                       : value(nextPlane, 1, m_size[2]);
    }

    // Before the loops, as a thread there has it.
    llvm::Value* at(llvm::Value& value, Point point) {
        auto* const instruction = llvm::dyn_cast<llvm::Instruction>(&value);
        if (instruction == nullptr || !m_blocks.contains(instruction->getParent())) {
            return &value;
        }
        if ((growthOf(value) & moved(point)) == 0) {
            point = origin;
        }
        if (llvm::Value* known = m_made[point].lookup(&value)) {
            return known;
        }
        llvm::IRBuilder<> builder(m_before->getTerminator());
        if (const auto* counter = llvm::dyn_cast<llvm::PHINode>(instruction)) {
            return m_made[point][&value] = counterAt(counter, point, builder);
        }
        llvm::Instruction* const copy = instruction->clone();
        for (llvm::Use& operand : copy->operands()) {
            operand.set(at(*operand.get(), point));
        }
        copy->dropUnknownNonDebugMetadata();
        copy->dropPoisonGeneratingFlags();
        copy->insertBefore(m_before->getTerminator()->getIterator());
        return m_made[point][&value] = copy;
    }

    llvm::CallInst* tell(llvm::CallInst& read) {
        llvm::Value& address = *read.getArgOperand(told::address);
        llvm::SmallVector<llvm::Value*, 10> operands = {at(address, origin), at(address, last)};
        const bool isOfBlock = m_loops.z != nullptr;
        llvm::IRBuilder<> builder(m_before->getTerminator());
        const auto number = [&](llvm::Value* pointer) { return builder.CreatePtrToInt(pointer, builder.getInt64Ty()); };
        for (const Point next : {nextLane, nextStrip, nextRow, nextPlane}) {
            if (isOfBlock) {
                llvm::Value* const there = at(address, next);
                builder.SetInsertPoint(m_before->getTerminator());
                operands.push_back(builder.CreateSub(number(there), number(operands[0])));
            }
        }
        operands.append({read.getArgOperand(told::bytes), read.getArgOperand(told::site),
                         at(*read.getArgOperand(told::object), origin)});
        if (!isOfBlock) {
            operands.push_back(at(*read.getArgOperand(told::thread), origin));
        }
        llvm::SmallVector<llvm::Type*, 10> types;
        for (const llvm::Value* operand : operands) {
            types.push_back(operand->getType());
        }
        builder.SetInsertPoint(m_before->getTerminator());
        auto callee = read.getModule()->getOrInsertFunction(isOfBlock ? readsOfBlock : readsOfStrip,
                                                            llvm::FunctionType::get(builder.getVoidTy(), types, false));
        llvm::cast<llvm::Function>(callee.getCallee())->setDoesNotThrow();
        return builder.CreateCall(callee, operands);
    }

    const ThreadLoops& m_loops;
    const std::array<llvm::Value*, 3>& m_size;
    llvm::PHINode* m_first; // of the outermost loop
    llvm::BasicBlock* m_before;
    llvm::DenseSet<const llvm::BasicBlock*> m_blocks;
    llvm::DenseMap<const llvm::Value*, Growth> m_growth;
    llvm::DenseMap<const llvm::Value*, llvm::Value*> m_made[points];
};

} // namespace

bool tellReadsAtOnce(const ThreadLoops& loops, const std::array<llvm::Value*, 3>& size) {
    return Strips(loops, size).tellAtOnce();
}

} // namespace gks::hipcpu
