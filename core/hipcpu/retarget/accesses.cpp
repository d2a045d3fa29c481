// SPDX-License-Identifier: GPL-3.0-or-later
// What is told and what is not: a thread's own stack, constants and arguments of the kernel are nobody else's to write,
// and the rest is told, wherever it lies; the detector knows what it watches. Volatile accesses count as atomic:
// flags between blocks are written so by kernels that work on every device. The value of a plain write goes along,
// because writing what is there already changes nothing for anybody.
#include "core/hipcpu/retarget/accesses.h"

#include "core/hipcpu/abi.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <map>

namespace gks::hipcpu {
namespace {

bool isPrivate(const llvm::Value* pointer) {
    const llvm::Value* object = llvm::getUnderlyingObject(pointer, 0);
    const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
    return llvm::isa<llvm::AllocaInst>(object) || (variable != nullptr && variable->isConstant());
}

// The calls of one function.
class Teller {
public:
    Teller(llvm::Function& function, llvm::FunctionCallee tell)
        : m_function(function), m_layout(function.getDataLayout()), m_tell(tell) {}

    void tell(llvm::Instruction& instruction) {
        if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
            if (!load->hasMetadata(llvm::LLVMContext::MD_invariant_load)) {
                call(*load, load->getPointerOperand(), load->getType(),
                     load->isSimple() ? AccessKind::read : AccessKind::atomicRead);
            }
        } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
            call(*store, store->getPointerOperand(), store->getValueOperand()->getType(),
                 store->isSimple() ? AccessKind::write : AccessKind::atomicWrite,
                 store->isSimple() ? store->getValueOperand() : nullptr);
        } else if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
            call(*update, update->getPointerOperand(), update->getType(),
                 update->use_empty() ? AccessKind::blindUpdate : AccessKind::update);
        } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
            call(*exchange, exchange->getPointerOperand(), exchange->getNewValOperand()->getType(), AccessKind::update);
        } else if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction)) {
            callBytes(*copy, copy->getRawSource(), copy->getLength(),
                      copy->isVolatile() ? AccessKind::atomicRead : AccessKind::read, nullptr);
            callBytes(*copy, copy->getRawDest(), copy->getLength(),
                      copy->isVolatile() ? AccessKind::atomicWrite : AccessKind::write, copy->getRawSource());
        } else if (auto* fill = llvm::dyn_cast<llvm::MemSetInst>(&instruction)) {
            callBytes(*fill, fill->getRawDest(), fill->getLength(), AccessKind::write, nullptr);
        }
    }

private:
    void call(llvm::Instruction& access, llvm::Value* pointer, llvm::Type* type, AccessKind kind,
              llvm::Value* written = nullptr) {
        if (isPrivate(pointer)) {
            return;
        }
        llvm::IRBuilder<> builder(&access);
        llvm::Value* slot = nullptr;
        if (written != nullptr) {
            slot = slotOf(type);
            builder.CreateStore(written, slot);
        }
        callBytes(access, pointer, builder.getInt64(m_layout.getTypeStoreSize(type).getFixedValue()), kind, slot);
    }

    void callBytes(llvm::Instruction& access, llvm::Value* pointer, llvm::Value* bytes, AccessKind kind,
                   llvm::Value* value) {
        if (isPrivate(pointer)) {
            return;
        }
        llvm::IRBuilder<> builder(&access);
        builder.CreateCall(m_tell, {pointer, builder.CreateZExtOrTrunc(bytes, builder.getInt64Ty()),
                                    builder.getInt32(static_cast<std::uint32_t>(kind)),
                                    value != nullptr ? value : llvm::ConstantPointerNull::get(builder.getPtrTy())});
    }

    llvm::AllocaInst* slotOf(llvm::Type* type) {
        llvm::AllocaInst*& slot = m_slots[type];
        if (slot == nullptr) {
            llvm::BasicBlock& entry = m_function.getEntryBlock();
            slot = llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
        }
        return slot;
    }

    llvm::Function& m_function;
    const llvm::DataLayout& m_layout;
    llvm::FunctionCallee m_tell;
    std::map<llvm::Type*, llvm::AllocaInst*> m_slots;
};

} // namespace

void tellAccesses(llvm::Module& flat) {
    llvm::IRBuilder<> builder(flat.getContext());
    llvm::FunctionCallee tell = flat.getOrInsertFunction(
        "hipcpu_access",
        llvm::FunctionType::get(builder.getVoidTy(),
                                {builder.getPtrTy(), builder.getInt64Ty(), builder.getInt32Ty(), builder.getPtrTy()},
                                false));
    auto* declared = llvm::cast<llvm::Function>(tell.getCallee());
    declared->setDoesNotThrow();
    declared->addFnAttr(llvm::Attribute::NonLazyBind);
    for (llvm::Function& function : flat) {
        if (function.isDeclaration()) {
            continue;
        }
        Teller teller(function, tell);
        std::vector<llvm::Instruction*> instructions; // without the calls that are added
        for (llvm::Instruction& instruction : llvm::instructions(function)) {
            instructions.push_back(&instruction);
        }
        for (llvm::Instruction* instruction : instructions) {
            teller.tell(*instruction);
        }
    }
}

} // namespace gks::hipcpu
