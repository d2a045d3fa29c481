// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <map>
#include <tuple>

namespace gks::hipcpu {

// Stack slots for operands that go through memory; one per type and position, shared by all calls of a function.
class OperandSlots {
public:
    static constexpr unsigned alignment = 64;

    llvm::AllocaInst* slot(llvm::Function& function, llvm::Type* type, unsigned position) {
        llvm::AllocaInst*& found = m_slots[{&function, type, position}];
        if (found == nullptr) {
            llvm::IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().begin());
            found = builder.CreateAlloca(type);
            found->setAlignment(llvm::Align(alignment));
        }
        return found;
    }

    // The slot, with the value in it.
    llvm::Value* stored(llvm::IRBuilder<>& builder, llvm::Value* value, unsigned position) {
        llvm::AllocaInst* at = slot(*builder.GetInsertBlock()->getParent(), value->getType(), position);
        builder.CreateAlignedStore(value, at, at->getAlign());
        return at;
    }

private:
    std::map<std::tuple<llvm::Function*, llvm::Type*, unsigned>, llvm::AllocaInst*> m_slots;
};

} // namespace gks::hipcpu
