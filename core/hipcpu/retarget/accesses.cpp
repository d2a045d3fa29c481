// SPDX-License-Identifier: GPL-3.0-or-later
// What is told and what is not: a thread's own stack, constants and arguments of the kernel are nobody else's to write,
// and the rest is told, wherever it lies; the detector knows what it watches. Volatile accesses count as atomic:
// flags between blocks are written so by kernels that work on every device, and a nontemporal read counts where a loop
// waits for it. The value of a write goes along, because writing what is there already changes nothing for anybody.
#include "core/hipcpu/retarget/accesses.h"

#include "core/hipcpu/abi.h"
#include "core/hipcpu/retarget/access_roles.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>
#include <map>

namespace gks::hipcpu {
namespace {

bool isPrivate(const llvm::Value* pointer) {
    const llvm::Value* object = llvm::getUnderlyingObject(pointer, 0);
    const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
    return llvm::isa<llvm::AllocaInst>(object) || (variable != nullptr && variable->isConstant());
}

// The services that are called.
struct Services {
    llvm::FunctionCallee access;
    llvm::FunctionCallee begin;
};

// The calls of one function.
class Teller {
public:
    Teller(llvm::Function& function, const Services& services)
        : m_function(function), m_layout(function.getDataLayout()), m_services(services), m_roles(function) {
        for (llvm::Instruction& instruction : llvm::instructions(function)) {
            m_instructions.push_back(&instruction);
            if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
                m_kinds[load] = kindOf(*load);
            }
        }
    }

    void tellAll() {
        for (llvm::Instruction* instruction : m_instructions) {
            tell(*instruction);
        }
    }

private:
    AccessKind kindOf(const llvm::LoadInst& load) const {
        const bool waits = load.hasMetadata(llvm::LLVMContext::MD_nontemporal) && m_roles.isAwaited(load);
        if (load.isSimple() && !waits) {
            return m_roles.isGuess(load) ? AccessKind::guess : AccessKind::read;
        }
        return m_roles.comesBack(load) ? AccessKind::readToChange : AccessKind::atomicRead;
    }

    void tell(llvm::Instruction& instruction) {
        if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
            tellLoad(*load);
        } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
            tellStore(*store);
        } else if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
            tellUpdate(*update);
        } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
            tellExchange(*exchange);
        } else if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction)) {
            const bool isVolatile = copy->isVolatile();
            call(isVolatile ? *copy->getNextNode() : *copy, copy->getRawSource(), copy->getLength(),
                 isVolatile ? AccessKind::atomicRead : AccessKind::read);
            call(*copy, copy->getRawDest(), copy->getLength(), isVolatile ? AccessKind::atomicWrite : AccessKind::write,
                 copy->getRawSource());
        } else if (auto* fill = llvm::dyn_cast<llvm::MemSetInst>(&instruction)) {
            call(*fill, fill->getRawDest(), fill->getLength(), AccessKind::fill, stored(*fill, fill->getValue()));
        }
    }

    void tellLoad(llvm::LoadInst& load) {
        if (load.hasMetadata(llvm::LLVMContext::MD_invariant_load) || isPrivate(load.getPointerOperand())) {
            return;
        }
        const AccessKind kind = m_kinds.at(&load);
        const bool isPlain = kind == AccessKind::read || kind == AccessKind::guess;
        call(isPlain ? load : *load.getNextNode(), load.getPointerOperand(), bytesOf(load.getType()), kind);
    }

    void tellStore(llvm::StoreInst& store) {
        llvm::Value* const value = store.getValueOperand();
        if (!isPrivate(store.getPointerOperand())) {
            call(store, store.getPointerOperand(), bytesOf(value->getType()),
                 store.isSimple() ? AccessKind::write : AccessKind::atomicWrite, stored(store, value));
        }
    }

    void tellUpdate(llvm::AtomicRMWInst& update) {
        llvm::Value* const pointer = update.getPointerOperand();
        if (isPrivate(pointer)) {
            return;
        }
        const AccessKind kind = update.use_empty() ? AccessKind::blindUpdate : AccessKind::update;
        llvm::IRBuilder<>(&update).CreateCall(m_services.begin, {pointer});
        llvm::IRBuilder<> builder(update.getNextNode());
        llvm::Value* const after =
            llvm::buildAtomicRMWValue(update.getOperation(), builder, &update, update.getValOperand());
        llvm::Value* const changes = builder.CreateICmpNE(asInteger(builder, after), asInteger(builder, &update));
        callBehind(builder, pointer, update.getType(), kindValue(kind), changes);
    }

    // One that finds something else has only read.
    void tellExchange(llvm::AtomicCmpXchgInst& exchange) {
        llvm::Value* const pointer = exchange.getPointerOperand();
        if (isPrivate(pointer)) {
            return;
        }
        llvm::IRBuilder<>(&exchange).CreateCall(m_services.begin, {pointer});
        llvm::IRBuilder<> builder(exchange.getNextNode());
        llvm::Value* const done = builder.CreateExtractValue(&exchange, 1);
        llvm::Value* const isOther = builder.CreateICmpNE(asInteger(builder, exchange.getNewValOperand()),
                                                          asInteger(builder, exchange.getCompareOperand()));
        callBehind(builder, pointer, exchange.getNewValOperand()->getType(),
                   builder.CreateSelect(done, kindValue(AccessKind::update), kindValue(AccessKind::atomicRead)),
                   builder.CreateAnd(done, isOther));
    }

    llvm::Value* asInteger(llvm::IRBuilder<>& builder, llvm::Value* value) const {
        return builder.CreateBitOrPointerCast(
            value, builder.getIntNTy(static_cast<unsigned>(m_layout.getTypeSizeInBits(value->getType()))));
    }

    llvm::Constant* kindValue(AccessKind kind) const {
        return llvm::ConstantInt::get(llvm::Type::getInt32Ty(m_function.getContext()),
                                      static_cast<std::uint32_t>(kind));
    }

    llvm::Value* bytesOf(llvm::Type* type) const {
        return llvm::ConstantInt::get(llvm::Type::getInt64Ty(m_function.getContext()),
                                      m_layout.getTypeStoreSize(type).getFixedValue());
    }

    void callBehind(llvm::IRBuilder<>& builder, llvm::Value* pointer, llvm::Type* type, llvm::Value* kind,
                    llvm::Value* changes) {
        llvm::Value* const value =
            builder.CreateSelect(changes, pointer, llvm::ConstantPointerNull::get(builder.getPtrTy()));
        builder.CreateCall(m_services.access, {pointer, bytesOf(type), kind, value});
    }

    void call(llvm::Instruction& before, llvm::Value* pointer, llvm::Value* bytes, AccessKind kind,
              llvm::Value* value = nullptr) {
        if (isPrivate(pointer)) {
            return;
        }
        llvm::IRBuilder<> builder(&before);
        builder.CreateCall(m_services.access,
                           {pointer, builder.CreateZExtOrTrunc(bytes, builder.getInt64Ty()), kindValue(kind),
                            value != nullptr ? value : llvm::ConstantPointerNull::get(builder.getPtrTy())});
    }

    // Where the value lies, from before the instruction on.
    llvm::AllocaInst* stored(llvm::Instruction& before, llvm::Value* value) {
        llvm::AllocaInst* const slot = slotOf(value->getType());
        llvm::IRBuilder<>(&before).CreateStore(value, slot);
        return slot;
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
    Services m_services;
    AccessRoles m_roles;
    std::vector<llvm::Instruction*> m_instructions; // without those that are added
    std::map<const llvm::LoadInst*, AccessKind> m_kinds;
    std::map<llvm::Type*, llvm::AllocaInst*> m_slots;
};

} // namespace

void tellAccesses(llvm::Module& flat) {
    llvm::IRBuilder<> builder(flat.getContext());
    llvm::Type* const pointer = builder.getPtrTy();
    const auto service = [&](const char* name, llvm::ArrayRef<llvm::Type*> parameters) {
        llvm::FunctionCallee callee =
            flat.getOrInsertFunction(name, llvm::FunctionType::get(builder.getVoidTy(), parameters, false));
        auto* declared = llvm::cast<llvm::Function>(callee.getCallee());
        declared->setDoesNotThrow();
        declared->addFnAttr(llvm::Attribute::NonLazyBind);
        return callee;
    };
    const Services services = {service("hipcpu_access", {pointer, builder.getInt64Ty(), builder.getInt32Ty(), pointer}),
                               service("hipcpu_access_begin", {pointer})};
    for (llvm::Function& function : flat) {
        if (!function.isDeclaration()) {
            Teller(function, services).tellAll();
        }
    }
}

} // namespace gks::hipcpu
