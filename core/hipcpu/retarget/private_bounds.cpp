// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/private_bounds.h"

#include "core/hipcpu/retarget/item_function.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/Utils/Local.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>

namespace gks::hipcpu {
namespace {

namespace place {
enum Operand : unsigned { offset, bytes, variableBytes };
} // namespace place

std::optional<std::uint64_t> numberIn(const llvm::Value* value) {
    const auto* number = llvm::dyn_cast_or_null<llvm::ConstantInt>(value);
    return number != nullptr ? std::optional(number->getZExtValue()) : std::nullopt;
}

bool isInside(const llvm::APInt& most, std::uint64_t bytes, std::uint64_t variableBytes) {
    return bytes <= variableBytes && most.ule(variableBytes - bytes);
}

} // namespace

std::optional<PrivatePlace> uncertainPlace(llvm::Instruction& access, llvm::Value& pointer, const llvm::Value* bytes) {
    const llvm::DataLayout& layout = access.getDataLayout();
    auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer, 0));
    const auto size = variable != nullptr ? variable->getAllocationSize(layout) : std::nullopt;
    if (!size || size->isScalable()) {
        return std::nullopt;
    }
    const std::uint64_t variableBytes = size->getFixedValue();
    llvm::APInt constant(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
    const auto count = numberIn(bytes);
    if (count && pointer.stripAndAccumulateConstantOffsets(layout, constant, true) == variable &&
        isInside(constant, *count, variableBytes)) {
        return std::nullopt;
    }
    llvm::SmallVector<llvm::GEPOperator*, 4> steps;
    for (llvm::Value* at = &pointer; at != variable; at = steps.back()->getPointerOperand()) {
        auto* const step = llvm::dyn_cast<llvm::GEPOperator>(at);
        if (step == nullptr) {
            return std::nullopt;
        }
        steps.push_back(step);
    }
    llvm::IRBuilder<> builder(&access);
    llvm::Value* offset = builder.getInt64(0);
    for (llvm::GEPOperator* step : steps) { // which claim to stay inside
        offset = builder.CreateAdd(offset, llvm::emitGEPOffset(&builder, layout, step, /*NoAssumptions=*/true));
    }
    return PrivatePlace{variable, variableBytes, offset};
}

void dropCertainPlaces(llvm::Function& item) {
    llvm::SmallVector<llvm::CallInst*, 16> told;
    for (llvm::Instruction& instruction : llvm::instructions(item)) {
        if (isCallOf(instruction, "hipcpu_private_of")) {
            told.push_back(llvm::cast<llvm::CallInst>(&instruction));
        }
    }
    if (told.empty()) {
        return;
    }
    llvm::DominatorTree dominators(item);
    llvm::LoopInfo loops(dominators);
    llvm::AssumptionCache assumptions(item);
    llvm::TargetLibraryInfoImpl functions;
    llvm::TargetLibraryInfo library(functions);
    llvm::ScalarEvolution evolution(item, library, assumptions, dominators, loops);
    llvm::SmallVector<llvm::CallInst*, 16> certain;
    for (llvm::CallInst* call : told) {
        const auto bytes = numberIn(call->getArgOperand(place::bytes));
        const auto variableBytes = numberIn(call->getArgOperand(place::variableBytes));
        if (bytes && variableBytes &&
            isInside(evolution.getUnsignedRangeMax(evolution.getSCEV(call->getArgOperand(place::offset))), *bytes,
                     *variableBytes)) {
            certain.push_back(call);
        }
    }
    for (llvm::CallInst* call : certain) {
        call->eraseFromParent();
    }
}

} // namespace gks::hipcpu
