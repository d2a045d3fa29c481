// SPDX-License-Identifier: GPL-3.0-or-later
// An address that wraps round between the first thread and the last one lies at neither end: who uses it looks at both.
#include "core/hipcpu/retarget/thread_growth.h"

#include "core/hipcpu/retarget/lane_strips.h"
#include "core/hipcpu/retarget/turn_blocks.h"

#include <algorithm>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstrTypes.h>
#include <optional>

namespace gks::hipcpu {
namespace {

constexpr std::uint64_t mostStep = std::uint64_t{1} << 16;

std::optional<std::uint64_t> constantOf(const llvm::Value& value) {
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value);
    return number != nullptr ? std::optional(number->getValue().getLimitedValue()) : std::nullopt;
}
// Constant; 0: something else.
std::uint64_t remainderBy(const llvm::Instruction& remainder) {
    const std::optional<std::uint64_t> number = constantOf(*remainder.getOperand(1));
    if (remainder.getOpcode() == llvm::Instruction::URem) {
        return number.value_or(0);
    }
    return number && (*number & (*number + 1)) == 0 ? *number + 1 : 0;
}
std::uint64_t quotientBy(const llvm::Instruction& quotient) {
    const std::optional<std::uint64_t> number = constantOf(*quotient.getOperand(1));
    if (quotient.getOpcode() == llvm::Instruction::UDiv) {
        return number.value_or(0);
    }
    return number && *number < 16 ? std::uint64_t{1} << *number : 0;
}
} // namespace

ThreadGrowth::ThreadGrowth(const ThreadLoops& loops, const BlockSize& size)
    : m_loops(loops), m_size(size), m_first(loops.isOfBlock() ? loops.z : loops.lane) {
    const unsigned outside = wayIn(*m_first);
    m_before = m_first->getIncomingBlock(outside);
    m_latch = m_first->getIncomingBlock(1 - outside);
    m_blocks.insert(m_first->getParent());
    m_blocks.insert(m_latch);
    for (std::size_t i = 1; i < m_blocks.size(); ++i) {
        m_blocks.insert(llvm::pred_begin(m_blocks[i]), llvm::pred_end(m_blocks[i]));
    }
}

llvm::BasicBlock& ThreadGrowth::after() const {
    const auto* latch = llvm::cast<llvm::BranchInst>(m_latch->getTerminator());
    return *latch->getSuccessor(latch->getSuccessor(0) == m_first->getParent() ? 1 : 0);
}

ThreadGrowth::Growth ThreadGrowth::growthOf(llvm::Value& value) {
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

ThreadGrowth::Growth ThreadGrowth::computed(llvm::Instruction& instruction) {
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
        return instruction.isIntDivRem() && !llvm::isa<llvm::ConstantInt>(instruction.getOperand(1)) ? unknown : none;
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
    case llvm::Instruction::LShr:
    case llvm::Instruction::UDiv: // a strip of threads later so much more
        return quotientStep(instruction) != 0 ? all : unknown;
    case llvm::Instruction::And:
    case llvm::Instruction::URem: // and there the same
        return divides(remainderBy(instruction), instruction) ? none : unknown;
    default:
        return unknown;
    }
}

// What a power of two divides of all its distances from thread to thread, at most so much.
std::uint64_t ThreadGrowth::stepOf(llvm::Value& value) {
    const Growth growth = growthOf(value);
    if (growth == none) {
        return mostStep;
    }
    auto& instruction = llvm::cast<llvm::Instruction>(value);
    if (llvm::isa<llvm::PHINode>(instruction)) {
        return &instruction == m_loops.x ? laneStrip : 1;
    }
    const auto of = [&](unsigned operand) { return stepOf(*instruction.getOperand(operand)); };
    switch (instruction.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Or:
        return std::min(of(0), of(1));
    case llvm::Instruction::ZExt:
    case llvm::Instruction::SExt:
    case llvm::Instruction::Trunc:
    case llvm::Instruction::Freeze:
        return of(0);
    case llvm::Instruction::Select:
        return std::min(of(1), of(2));
    case llvm::Instruction::Mul: {
        const unsigned growing = growthOf(*instruction.getOperand(0)) == none ? 1 : 0;
        return std::min(mostStep, of(growing) * factorOf(*instruction.getOperand(1 - growing)));
    }
    case llvm::Instruction::Shl: {
        const auto* bits = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
        return bits != nullptr && bits->getZExtValue() < 16 ? std::min(mostStep, of(0) << bits->getZExtValue()) : of(0);
    }
    case llvm::Instruction::LShr:
    case llvm::Instruction::UDiv:
        return quotientStep(instruction);
    default:
        return 1;
    }
}
// Rows of a block that is run in strips have whole strips.
std::uint64_t ThreadGrowth::factorOf(const llvm::Value& value) const {
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value);
    return number != nullptr ? (number->getValue() & -number->getValue()).getLimitedValue(mostStep)
           : &value == m_size[0] && !m_loops.areRows ? laneStrip
                                                     : 1;
}
bool ThreadGrowth::divides(std::uint64_t divisor, const llvm::Instruction& instruction) {
    return divisor != 0 && stepOf(*instruction.getOperand(0)) % divisor == 0;
}
// 0: the quotient does not grow alike.
std::uint64_t ThreadGrowth::quotientStep(const llvm::Instruction& quotient) {
    const std::uint64_t divisor = quotientBy(quotient);
    return divides(divisor, quotient) ? stepOf(*quotient.getOperand(0)) / divisor : 0;
}

ThreadGrowth::Growth ThreadGrowth::moved(Point point) {
    if (point == last) {
        return byLane | byStrip | byRow | byPlane;
    }
    for (const Axis& axis : axes) {
        if (point == axis.next || point == axis.last) {
            return axis.growth;
        }
    }
    return none;
}

llvm::Value* ThreadGrowth::counterAt(const llvm::PHINode* counter, Point point, llvm::IRBuilder<>& builder) const {
    const auto value = [&](const Axis& axis, unsigned step, llvm::Value* end) -> llvm::Value* {
        return point == last || point == axis.last ? builder.CreateSub(end, builder.getInt32(step))
               : point == axis.next                ? builder.getInt32(step)
                                                   : builder.getInt32(0);
    };
    return counter == m_loops.lane ? value(axes[0], 1, lanes())
           : counter == m_loops.x  ? value(axes[1], laneStrip, m_size[0])
           : counter == m_loops.y  ? value(axes[2], 1, m_size[1])
                                   : value(axes[3], 1, m_size[2]);
}

llvm::Value* ThreadGrowth::lanes() const {
    return m_loops.areRows ? m_size[0]
                           : llvm::ConstantInt::get(llvm::Type::getInt32Ty(m_before->getContext()), laneStrip);
}

llvm::Value* ThreadGrowth::stepsAlong(Growth axis) const {
    llvm::IRBuilder<> builder(before());
    llvm::Value* const one = builder.getInt32(1);
    switch (axis) {
    case byLane:
        return builder.CreateSub(lanes(), one);
    case byStrip:
        return builder.CreateSub(builder.CreateUDiv(m_size[0], builder.getInt32(laneStrip)), one);
    case byRow:
        return builder.CreateSub(m_size[1], one);
    default:
        return builder.CreateSub(m_size[2], one);
    }
}

llvm::Value* ThreadGrowth::growsAlike(llvm::Value& value, bool isSigned) {
    const Growth growth = growthOf(value);
    llvm::IRBuilder<> builder(before());
    // Twice as wide, so that nothing wraps round here. Addresses are far from doing that.
    const bool isAddress = value.getType()->isPointerTy();
    llvm::Type* const wide =
        isAddress ? builder.getInt64Ty() : builder.getIntNTy(2 * value.getType()->getIntegerBitWidth());
    const auto there = [&](Point point) {
        llvm::Value* const is = at(value, point);
        builder.SetInsertPoint(before());
        return isAddress  ? builder.CreatePtrToInt(is, wide)
               : isSigned ? builder.CreateSExt(is, wide)
                          : builder.CreateZExt(is, wide);
    };
    llvm::Value* const first = there(origin);
    llvm::Value* end = first;
    llvm::Value* isAlike = builder.getTrue();
    for (const Axis& axis : axes) {
        if ((growth & axis.growth) != 0) {
            llvm::Value* const steps = stepsAlong(axis.growth);
            llvm::Value* const next = there(axis.next);
            llvm::Value* const is = there(axis.last);
            llvm::Value* const grown =
                builder.CreateMul(builder.CreateSub(next, first), builder.CreateZExtOrTrunc(steps, wide));
            // Along an axis of one thread the next one is none.
            isAlike = builder.CreateAnd(isAlike, builder.CreateICmpEQ(is, builder.CreateAdd(first, grown)));
            end = builder.CreateAdd(end, grown);
        }
    }
    return builder.CreateAnd(isAlike, builder.CreateICmpEQ(there(last), end));
}

// Before the loops, as a thread there has it.
llvm::Value* ThreadGrowth::at(llvm::Value& value, Point point) {
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

} // namespace gks::hipcpu
