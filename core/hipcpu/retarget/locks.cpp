// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/locks.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace gks::hipcpu {
namespace {

// The place of an exchange that finds a lock free, or not.
const llvm::Value* placeOfTry(const llvm::Instruction& instruction) {
    if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
        return llvm::isa<llvm::Constant>(exchange->getCompareOperand()) ? exchange->getPointerOperand() : nullptr;
    }
    const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
    const bool isTry = update != nullptr && update->getOperation() == llvm::AtomicRMWInst::Xchg &&
                       llvm::isa<llvm::Constant>(update->getValOperand());
    return isTry ? update->getPointerOperand() : nullptr;
}

// Where a lock might be given back; nullptr: nowhere.
const llvm::Value* placeOfChange(const llvm::Instruction& instruction) {
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        return store->getPointerOperand();
    }
    if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
        return exchange->getPointerOperand();
    }
    if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
        const auto* value = llvm::dyn_cast<llvm::Constant>(update->getValOperand());
        const bool isRead =
            value != nullptr && value->isNullValue() &&
            (update->getOperation() == llvm::AtomicRMWInst::Add || update->getOperation() == llvm::AtomicRMWInst::Or);
        return isRead ? nullptr : update->getPointerOperand();
    }
    const auto* fill = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction);
    return fill != nullptr ? fill->getRawDest() : nullptr;
}

// Whoever tries twice gives nothing back by it.
bool isSameTry(const llvm::Instruction& one, const llvm::Instruction& other) {
    if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&one)) {
        const auto* again = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&other);
        return again != nullptr && again->getCompareOperand() == exchange->getCompareOperand();
    }
    const auto* again = llvm::dyn_cast<llvm::AtomicRMWInst>(&other);
    return again != nullptr && again->getOperation() == llvm::AtomicRMWInst::Xchg &&
           again->getValOperand() == one.getOperand(1);
}

// What the pointer leads into, if that has a name: a variable, or the place among the kernel's arguments that the
// pointer has come from; nullptr: it has none.
const llvm::Value* namedObject(const llvm::Value& pointer) {
    const llvm::Value* object = llvm::getUnderlyingObject(&pointer, 0);
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(object)) {
        const llvm::Value* place = load->getPointerOperand();
        const auto* storage = llvm::dyn_cast<llvm::LoadInst>(llvm::getUnderlyingObject(place));
        return storage != nullptr && storage->hasMetadata(llvm::LLVMContext::MD_invariant_load) ? place : nullptr;
    }
    return llvm::isa<llvm::GlobalVariable>(object) ? object : nullptr;
}

// A lock is given back by the same argument or variable by which it was taken.
bool mayBeOneObject(const llvm::Value& a, const llvm::Value& b) {
    const llvm::Value* first = namedObject(a);
    const llvm::Value* second = namedObject(b);
    return first == nullptr || second == nullptr || first == second;
}

} // namespace

bool takesLock(const llvm::Function& function, const llvm::LoopInfo& loops) {
    const auto all = llvm::instructions(function);
    return llvm::any_of(all, [&](const llvm::Instruction& one) {
        const llvm::Value* place = loops.getLoopFor(one.getParent()) != nullptr ? placeOfTry(one) : nullptr;
        return place != nullptr && llvm::any_of(all, [&](const llvm::Instruction& other) {
                   const llvm::Value* changed = isSameTry(one, other) ? nullptr : placeOfChange(other);
                   return changed != nullptr && mayBeOneObject(*place, *changed);
               });
    });
}

} // namespace gks::hipcpu
