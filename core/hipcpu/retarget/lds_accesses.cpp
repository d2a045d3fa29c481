// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/lds_accesses.h"

#include "core/hipcpu/retarget/flatten.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <optional>

namespace gks::hipcpu {
namespace {

bool isLdsBase(const llvm::Value* object) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(object);
    return call != nullptr && call->getCalledFunction() != nullptr &&
           call->getCalledFunction()->getName() == "hipcpu_lds_base";
}

std::optional<LdsAccess> accessAt(LdsKind kind, const llvm::Value* pointer) {
    llvm::SmallVector<const llvm::Value*, 4> objects;
    llvm::getUnderlyingObjects(pointer, objects);
    const bool isLds = llvm::any_of(objects, [](const llvm::Value* object) {
        const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
        return isLdsBase(object) || (variable != nullptr && variable->hasMetadata(mark::ldsVariable));
    });
    if (!isLds) {
        return std::nullopt;
    }
    const bool isOne = objects.size() == 1 && llvm::isa<llvm::GlobalVariable>(objects[0]);
    return LdsAccess{kind, pointer->stripPointerCasts(), isOne ? objects[0] : nullptr};
}

} // namespace

llvm::SmallVector<LdsAccess, 2> accessesOf(const llvm::Instruction& instruction) {
    llvm::SmallVector<LdsAccess, 2> result;
    const auto add = [&](LdsKind kind, const llvm::Value* pointer, const llvm::Value* value = nullptr) {
        if (auto access = accessAt(kind, pointer)) {
            access->bytes =
                value != nullptr ? instruction.getDataLayout().getTypeStoreSize(value->getType()).getFixedValue() : 0;
            access->value = kind == LdsKind::store ? value : nullptr;
            result.push_back(*access);
        }
    };
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        add(LdsKind::load, load->getPointerOperand(), load);
    } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        add(LdsKind::store, store->getPointerOperand(), store->getValueOperand());
    } else if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
        add(LdsKind::update, update->getPointerOperand(), update->getValOperand());
    } else if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
        add(LdsKind::update, exchange->getPointerOperand(), exchange->getNewValOperand());
    } else if (const auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
        if (const auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(memory)) {
            add(LdsKind::load, transfer->getRawSource());
        }
        add(LdsKind::store, memory->getRawDest());
    }
    return result;
}

} // namespace gks::hipcpu
