// SPDX-License-Identifier: GPL-3.0-or-later
// What is told and what is not: a thread's own stack, constants and arguments of the kernel are nobody else's to write,
// and the rest is told, wherever it lies; the detector knows what it watches. Volatile accesses count as atomic:
// flags between blocks are written so by kernels that work on every device, and a nontemporal read counts where a loop
// waits for it. The value of a write goes along, because writing what is there already changes nothing for anybody, and
// so does the place in the source (see access_sites.h) with the variable in which the access has to lie.
#include "core/hipcpu/retarget/accesses.h"

#include "core/hipcpu/abi.h"
#include "core/hipcpu/retarget/access_roles.h"
#include "core/hipcpu/retarget/access_sites.h"
#include "core/hipcpu/retarget/alignment_claims.h"
#include "core/hipcpu/retarget/flatten.h"
#include "core/hipcpu/retarget/late_reads.h"
#include "core/hipcpu/retarget/private_bounds.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>
#include <map>

namespace gks::hipcpu {
namespace {

// What the runtime has for the thread: what is of its launch, and values of other lanes.
bool isOfRuntime(const llvm::Value* object) {
    if (isOfLaunch(object)) {
        return true;
    }
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(object);
    const llvm::Value* const from = load != nullptr ? llvm::getUnderlyingObject(load->getPointerOperand(), 0) : nullptr;
    return from != nullptr && llvm::isa<llvm::AllocaInst>(from) &&
           llvm::any_of(from->users(), [](const llvm::User* user) {
               const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
               const llvm::Function* const callee = call != nullptr ? call->getCalledFunction() : nullptr;
               return callee != nullptr && callee->getName() == "hipcpu_wave_exchange";
           });
}

bool isPrivate(const llvm::Value* pointer) {
    const llvm::Value* object = llvm::getUnderlyingObject(pointer, 0);
    const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
    return llvm::isa<llvm::AllocaInst>(object) || (variable != nullptr && variable->isConstant()) ||
           (variable == nullptr && isOfRuntime(object));
}

// The variable in which an access has to lie: one of LDS with a size, or one of the module; else null.
llvm::GlobalVariable* boundOf(const llvm::Value* pointer) {
    auto* variable =
        const_cast<llvm::GlobalVariable*>(llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(pointer, 0)));
    const bool isOne = variable != nullptr && !variable->isDeclaration() && !variable->isConstant() &&
                       (variable->hasMetadata(mark::ldsVariable) || variable->hasMetadata(mark::deviceVariable));
    return isOne ? variable : nullptr;
}

// Fields of bits are written by reading their neighbours: nobody need have written those. `value` is what was read, or
// that with some of the fields in it.
bool keepsNeighbours(const llvm::Value& value, const llvm::Value* pointer) {
    const auto isJoined = [&](const llvm::User* user) {
        const auto* both = llvm::dyn_cast<llvm::BinaryOperator>(user);
        return both != nullptr && both->getOpcode() == llvm::Instruction::Or && !both->use_empty() &&
               llvm::all_of(both->users(), [&](const llvm::User* last) {
                   const auto* store = llvm::dyn_cast<llvm::StoreInst>(last);
                   return store != nullptr ? store->getPointerOperand() == pointer
                                           : llvm::isa<llvm::BinaryOperator>(last) && keepsNeighbours(*both, pointer);
               });
    };
    return value.getType()->isIntegerTy() && !value.use_empty() &&
           llvm::all_of(value.users(), [&](const llvm::User* user) {
               if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
                   return store->getPointerOperand() == pointer && !llvm::isa<llvm::LoadInst>(value);
               }
               const auto* mask = llvm::dyn_cast<llvm::BinaryOperator>(user);
               return mask != nullptr && mask->getOpcode() == llvm::Instruction::And &&
                      llvm::isa<llvm::ConstantInt>(mask->getOperand(1)) && !mask->use_empty() &&
                      llvm::all_of(mask->users(), isJoined);
           });
}

// The services that are called.
struct Services {
    llvm::FunctionCallee access;
    llvm::FunctionCallee ofPrivate;
    llvm::FunctionCallee begin;
    llvm::FunctionCallee barrier;
    llvm::FunctionCallee round;
};

// The calls of one function.
class Teller {
public:
    Teller(llvm::Function& function, const Services& services, AccessSites& sites)
        : m_function(function)
        , m_layout(function.getDataLayout())
        , m_services(services)
        , m_sites(sites)
        , m_claims(function)
        , m_roles(function)
        , m_dominators(function) {
        noteLoops();
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
        for (llvm::BasicBlock* header : m_loopsWithoutAccess) {
            llvm::Instruction& first = *header->getFirstInsertionPt();
            llvm::IRBuilder<>(&first).CreateCall(m_services.round, {m_sites.of(*header->getTerminator())});
        }
    }

private:
    // A loop that touches no memory and goes on without end has to be noticed, too. One that counts ends.
    void noteLoops() {
        llvm::LoopInfo loops(m_dominators);
        llvm::AssumptionCache assumptions(m_function);
        llvm::TargetLibraryInfoImpl functions;
        llvm::TargetLibraryInfo library(functions);
        llvm::ScalarEvolution evolution(m_function, library, assumptions, m_dominators, loops);
        for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
            const bool isTold = llvm::any_of(loop->blocks(), [](const llvm::BasicBlock* block) {
                return llvm::any_of(*block, [](const llvm::Instruction& one) {
                    const llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&one);
                    return (pointer != nullptr && !isPrivate(pointer)) || one.isAtomic();
                });
            });
            if (!isTold && llvm::isa<llvm::SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(loop))) {
                m_loopsWithoutAccess.push_back(loop->getHeader());
            }
        }
    }

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
            const Access from = {copy->getRawSource(), copy->getLength(), 1, AccessSite::isCopy};
            const Access to = {copy->getRawDest(), copy->getLength(), 1, AccessSite::isCopy};
            isVolatile ? callAround(*copy, from, AccessKind::atomicRead) : call(*copy, *copy, from, AccessKind::read);
            call(*copy, *copy, to, isVolatile ? AccessKind::atomicWrite : AccessKind::write, copy->getRawSource());
        } else if (auto* fill = llvm::dyn_cast<llvm::MemSetInst>(&instruction)) {
            call(*fill, *fill, {fill->getRawDest(), fill->getLength(), 1, 0}, AccessKind::fill,
                 stored(*fill, fill->getValue()));
        } else if (const auto* other = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
            const llvm::Function* const callee = other->getCalledFunction();
            if (callee != nullptr &&
                (callee->getName() == "hipcpu_barrier" || callee->getName() == "hipcpu_block_reduce")) {
                llvm::IRBuilder<>(&instruction).CreateCall(m_services.barrier, {m_sites.of(instruction)});
            }
        }
    }

    struct Access {
        llvm::Value* pointer;
        llvm::Value* bytes;
        std::uint64_t alignment;
        std::uint32_t flags;
    };

    Access accessOf(llvm::Value* pointer, llvm::Type* type, llvm::Align alignment, std::uint32_t flags = 0) const {
        return {pointer, bytesOf(type), alignment.value(), flags};
    }

    void tellLoad(llvm::LoadInst& load) {
        if (load.hasMetadata(llvm::LLVMContext::MD_invariant_load) || isPrivate(load.getPointerOperand())) {
            tellPrivate(load, accessOf(load.getPointerOperand(), load.getType(), load.getAlign()), AccessKind::read);
            return;
        }
        const AccessKind kind = m_kinds.at(&load);
        const Access access = accessOf(load.getPointerOperand(), load.getType(), load.getAlign(),
                                       keepsNeighbours(load, load.getPointerOperand()) ? AccessSite::needsNone : 0);
        if (kind == AccessKind::read || kind == AccessKind::guess) {
            call(load, placeOfRead(load, m_dominators), access, kind);
        } else {
            callAround(load, access, kind);
        }
    }

    void tellStore(llvm::StoreInst& store) {
        llvm::Value* const value = store.getValueOperand();
        const Access access = accessOf(store.getPointerOperand(), value->getType(), store.getAlign());
        if (isPrivate(access.pointer)) {
            tellPrivate(store, access, AccessKind::write);
        } else {
            call(store, store, access, store.isSimple() ? AccessKind::write : AccessKind::atomicWrite,
                 stored(store, value));
        }
    }

    void tellUpdate(llvm::AtomicRMWInst& update) {
        llvm::Value* const pointer = update.getPointerOperand();
        if (isPrivate(pointer)) {
            return;
        }
        const AccessKind kind = update.use_empty() ? AccessKind::blindUpdate : AccessKind::update;
        const bool isExchange = update.getOperation() == llvm::AtomicRMWInst::Xchg && update.use_empty();
        const Access access =
            accessOf(pointer, update.getType(), update.getAlign(), isExchange ? AccessSite::needsNone : 0);
        begin(update, access, kind);
        llvm::IRBuilder<> builder(update.getNextNode());
        llvm::Value* const after =
            llvm::buildAtomicRMWValue(update.getOperation(), builder, &update, update.getValOperand());
        llvm::Value* const changes = builder.CreateICmpNE(asInteger(builder, after), asInteger(builder, &update));
        callBehind(update, builder, access, kindValue(kind), changes);
    }

    // One that finds something else has only read.
    void tellExchange(llvm::AtomicCmpXchgInst& exchange) {
        llvm::Value* const pointer = exchange.getPointerOperand();
        if (isPrivate(pointer)) {
            return;
        }
        const Access access = accessOf(pointer, exchange.getNewValOperand()->getType(), exchange.getAlign());
        begin(exchange, access, AccessKind::update);
        llvm::IRBuilder<> builder(exchange.getNextNode());
        llvm::Value* const done = builder.CreateExtractValue(&exchange, 1);
        llvm::Value* const isOther = builder.CreateICmpNE(asInteger(builder, exchange.getNewValOperand()),
                                                          asInteger(builder, exchange.getCompareOperand()));
        callBehind(exchange, builder, access,
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

    void callBehind(llvm::Instruction& of, llvm::IRBuilder<>& builder, const Access& access, llvm::Value* kind,
                    llvm::Value* changes) {
        emit(of, builder, access, kind,
             builder.CreateSelect(changes, access.pointer, llvm::ConstantPointerNull::get(builder.getPtrTy())));
    }

    void call(llvm::Instruction& of, llvm::Instruction& before, const Access& access, AccessKind kind,
              llvm::Value* value = nullptr) {
        if (isPrivate(access.pointer)) {
            tellPrivate(of, access, kind);
            return;
        }
        llvm::IRBuilder<> builder(&before);
        emit(of, builder, access, kindValue(kind),
             value != nullptr ? value : llvm::ConstantPointerNull::get(builder.getPtrTy()));
    }

    // An atomic that reads.
    void callAround(llvm::Instruction& of, const Access& access, AccessKind kind) {
        begin(of, access, kind);
        call(of, *of.getNextNode(), access, kind);
    }

    // It may lead to no memory: where it lies has to be known before it.
    void begin(llvm::Instruction& of, const Access& access, AccessKind kind) {
        if (!isPrivate(access.pointer)) {
            llvm::IRBuilder<> builder(&of);
            const Lies lies = placeOf(of, access);
            builder.CreateCall(m_services.begin,
                               {access.pointer, builder.CreateZExtOrTrunc(access.bytes, builder.getInt64Ty()),
                                kindValue(kind), lies.site, lies.object});
        }
    }

    // Of what is nobody else's, only where in it.
    void tellPrivate(llvm::Instruction& of, const Access& access, AccessKind kind) {
        if (const auto place = uncertainPlace(of, *access.pointer, access.bytes)) {
            llvm::IRBuilder<> builder(&of);
            builder.CreateCall(m_services.ofPrivate,
                               {place->offset, builder.CreateZExtOrTrunc(access.bytes, builder.getInt64Ty()),
                                builder.getInt64(place->variableBytes), kindValue(kind),
                                m_sites.of(of, place->variable, {place->variableBytes})});
        }
    }

    void emit(const llvm::Instruction& of, llvm::IRBuilder<>& builder, const Access& access, llvm::Value* kind,
              llvm::Value* value) {
        const Lies lies = placeOf(of, access);
        builder.CreateCall(m_services.access,
                           {access.pointer, builder.CreateZExtOrTrunc(access.bytes, builder.getInt64Ty()), kind, value,
                            lies.site, lies.object});
    }

    // In the source, and within what.
    struct Lies {
        llvm::Constant* site;
        llvm::Constant* object;
    };
    Lies placeOf(const llvm::Instruction& of, const Access& access) {
        llvm::GlobalVariable* const bound = boundOf(access.pointer);
        const std::uint64_t boundBytes =
            bound != nullptr ? m_layout.getTypeAllocSize(bound->getValueType()).getFixedValue() : 0;
        const std::uint64_t claimed = m_claims.of(of, access.pointer).value();
        llvm::Constant* const none = llvm::ConstantPointerNull::get(llvm::PointerType::get(of.getContext(), 0));
        return {m_sites.of(of, access.pointer,
                           {boundBytes, access.alignment, std::max(claimed, access.alignment), access.flags}),
                bound != nullptr ? bound : none};
    }

    // Where the value lies, from before the instruction on.
    llvm::AllocaInst* stored(llvm::Instruction& before, llvm::Value* value) {
        llvm::AllocaInst* const slot = slotOf(value->getType());
        llvm::StoreInst* const store = llvm::IRBuilder<>(&before).CreateStore(value, slot);
        llvm::MDNode* const is = llvm::MDNode::get(before.getContext(), {});
        store->setMetadata(mark::toldValue, is);
        // Whoever reads a flag has to know then what was before it.
        if (m_roles.mayReadFlags()) {
            store->setMetadata(mark::toldFirst, is);
        }
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
    AccessSites& m_sites;
    AlignmentClaims m_claims;
    AccessRoles m_roles;
    llvm::DominatorTree m_dominators;               // calls that tell leave the control flow as it is
    std::vector<llvm::Instruction*> m_instructions; // without those that are added
    std::map<const llvm::LoadInst*, AccessKind> m_kinds;
    std::map<llvm::Type*, llvm::AllocaInst*> m_slots;
    std::vector<llvm::BasicBlock*> m_loopsWithoutAccess; // their headers
};

} // namespace

void tellAccesses(llvm::Module& flat, const std::vector<std::filesystem::path>& systemFolders) {
    AccessSites sites(flat, systemFolders);
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
    const Services services = {
        service("hipcpu_access", {pointer, builder.getInt64Ty(), builder.getInt32Ty(), pointer, pointer, pointer}),
        service("hipcpu_private",
                {builder.getInt64Ty(), builder.getInt64Ty(), builder.getInt64Ty(), builder.getInt32Ty(), pointer}),
        service("hipcpu_access_begin", {pointer, builder.getInt64Ty(), builder.getInt32Ty(), pointer, pointer}),
        service("hipcpu_barrier_at", {pointer}), service("hipcpu_round_at", {pointer})};
    for (llvm::Function& function : flat) {
        if (!function.isDeclaration()) {
            Teller(function, services, sites).tellAll();
        }
    }
    sites.emit();
}

} // namespace gks::hipcpu
