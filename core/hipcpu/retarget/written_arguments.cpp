// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/written_arguments.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <optional>

namespace gks::hipcpu {
namespace {

constexpr std::uint64_t any = ~std::uint64_t{0};

// What is stored for an argument is found through a pointer in the array of them.
std::optional<std::uint64_t> argumentOf(const llvm::Value& object) {
    const auto* value = llvm::dyn_cast<llvm::LoadInst>(&object);
    const auto* storage = value != nullptr
                              ? llvm::dyn_cast<llvm::LoadInst>(llvm::getUnderlyingObject(value->getPointerOperand(), 0))
                              : nullptr;
    if (storage == nullptr) {
        return {};
    }
    llvm::APInt offset(64, 0);
    const llvm::Value* const from = storage->getPointerOperand()->stripAndAccumulateConstantOffsets(
        storage->getFunction()->getDataLayout(), offset, true);
    const std::uint64_t number = offset.getZExtValue() / sizeof(void*);
    return from == storage->getFunction()->getArg(0) && number < 64 ? std::optional(number) : std::nullopt;
}

std::uint64_t writtenThrough(const llvm::Value& pointer) {
    llvm::SmallVector<const llvm::Value*, 4> objects;
    llvm::getUnderlyingObjects(&pointer, objects, nullptr, 0);
    std::uint64_t written = 0;
    for (const llvm::Value* object : objects) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(object);
        const bool isLds = call != nullptr && call->getCalledFunction() != nullptr &&
                           call->getCalledFunction()->getName() == "hipcpu_lds_base";
        if (isLds || llvm::isa<llvm::AllocaInst, llvm::Constant>(object)) {
            continue;
        }
        const auto argument = argumentOf(*object);
        if (!argument) {
            return any;
        }
        written |= std::uint64_t{1} << *argument;
    }
    return written;
}

std::uint64_t writtenBy(const llvm::CallBase& call) {
    const llvm::Function* const callee = call.getCalledFunction();
    if (callee == nullptr || !callee->isDeclaration()) {
        return any;
    }
    if (callee->onlyReadsMemory() || callee->getName().starts_with("hipcpu_access")) {
        return 0;
    }
    std::uint64_t written = 0;
    for (unsigned i = 0; i < call.arg_size(); ++i) {
        if (call.getArgOperand(i)->getType()->isPointerTy() && !call.onlyReadsMemory(i)) {
            written |= writtenThrough(*call.getArgOperand(i));
        }
    }
    return written;
}

} // namespace

std::uint64_t writtenArguments(const llvm::Function& thread) {
    std::uint64_t written = 0;
    for (const llvm::Instruction& instruction : llvm::instructions(thread)) {
        if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
            written |= writtenThrough(*store->getPointerOperand());
        } else if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
            written |= writtenThrough(*update->getPointerOperand());
        } else if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
            written |= writtenThrough(*exchange->getPointerOperand());
        } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
            written |= writtenBy(*call);
        }
    }
    return written;
}

} // namespace gks::hipcpu
