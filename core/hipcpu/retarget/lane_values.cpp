// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/lane_values.h"

#include "core/hipcpu/retarget/flatten.h"
#include "core/hipcpu/retarget/lane_strips.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace gks::hipcpu {

llvm::Value* LaneValues::computed(llvm::Value& value) {
    if (m_threads.growthOf(value) == ThreadGrowth::none) {
        llvm::Value* const same = m_threads.at(value, ThreadGrowth::origin);
        return llvm::IRBuilder<>(m_threads.before()).CreateVectorSplat(laneStrip, same);
    }
    llvm::IRBuilder<> builder(m_threads.before());
    if (&value == m_threads.loops().lane) {
        llvm::SmallVector<llvm::Constant*, laneStrip> numbers;
        for (unsigned lane = 0; lane < laneStrip; ++lane) {
            numbers.push_back(builder.getInt32(lane));
        }
        return llvm::ConstantVector::get(numbers);
    }
    auto* const instruction = llvm::cast<llvm::Instruction>(&value);
    if (instruction->hasMetadata(mark::goingByte)) { // a thread changes its own alone, and not before it is asked
        auto& load = llvm::cast<llvm::LoadInst>(value);
        if (m_threads.growthOf(*load.getPointerOperand()) != ThreadGrowth::byLane) {
            return nullptr;
        }
        llvm::Value* const first = m_threads.at(*load.getPointerOperand(), ThreadGrowth::origin);
        builder.SetInsertPoint(m_threads.before());
        return builder.CreateAlignedLoad(llvm::FixedVectorType::get(value.getType(), laneStrip), first, llvm::Align(1));
    }
    if (!llvm::isa<llvm::BinaryOperator, llvm::ICmpInst, llvm::CastInst, llvm::SelectInst, llvm::FreezeInst>(
            instruction) ||
        !value.getType()->isIntegerTy() || instruction->isIntDivRem()) {
        return nullptr;
    }
    llvm::SmallVector<llvm::Value*, 3> operands;
    for (llvm::Value* operand : instruction->operands()) {
        llvm::Value* const lanes = operand->getType()->isIntegerTy() ? of(*operand) : nullptr;
        if (lanes == nullptr) {
            return nullptr;
        }
        operands.push_back(lanes);
    }
    builder.SetInsertPoint(m_threads.before());
    if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(instruction)) {
        return builder.CreateCast(cast->getOpcode(), operands[0],
                                  llvm::FixedVectorType::get(value.getType(), laneStrip));
    }
    if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(instruction)) {
        return builder.CreateICmp(comparison->getPredicate(), operands[0], operands[1]);
    }
    if (const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(instruction)) {
        return builder.CreateBinOp(operation->getOpcode(), operands[0], operands[1]);
    }
    return llvm::isa<llvm::FreezeInst>(instruction) ? builder.CreateFreeze(operands[0])
                                                    : builder.CreateSelect(operands[0], operands[1], operands[2]);
}

} // namespace gks::hipcpu
