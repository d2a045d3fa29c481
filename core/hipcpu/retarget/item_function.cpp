// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/item_function.h"

#include "core/hipcpu/abi.h"
#include "core/hipcpu/retarget/waiting_loops.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace gks::hipcpu {
namespace {

constexpr const char* reduction = "hipcpu_block_reduce";
constexpr const char* toldBarrier = "hipcpu_barrier_at";
constexpr std::uint64_t privateAlignment = 64;

// What is told of accesses, and how a thread that is no fibre tells it.
constexpr std::pair<const char*, const char*> tells[] = {{"hipcpu_access", "hipcpu_access_of"},
                                                         {"hipcpu_access_begin", "hipcpu_access_begin_of"},
                                                         {"hipcpu_private", "hipcpu_private_of"},
                                                         {"hipcpu_round_at", "hipcpu_round_of"}};

bool isTell(const llvm::CallBase& call) {
    return isCallOf(call, toldBarrier) ||
           llvm::any_of(tells, [&](const auto& tell) { return isCallOf(call, tell.first); });
}

// Calls that cannot switch to another thread of the block: mathematics, memory intrinsics, the end of the program.
bool isHarmless(const llvm::CallBase& call, const llvm::TargetLibraryInfo& library) {
    const llvm::Function* callee = call.getCalledFunction();
    if (callee == nullptr) {
        return false;
    }
    llvm::LibFunc known{};
    return callee->isIntrinsic() || callee->getName() == "hipcpu_fail" || callee->getName() == letOthersRunName ||
           (callee->isDeclaration() && (callee->doesNotAccessMemory() || library.getLibFunc(*callee, known)));
}

bool waitsInKnownWays(const llvm::Function& thread, const llvm::TargetLibraryInfo& library) {
    for (const llvm::Instruction& instruction : llvm::instructions(thread)) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (call != nullptr && !isHarmless(*call, library) && !isTell(*call) &&
            llvm::none_of(std::initializer_list<const char*>{item::barrier, item::matrix, item::exchange, reduction},
                          [&](const char* name) { return isCallOf(*call, name); })) {
            return false;
        }
    }
    return true;
}

llvm::FunctionCallee declared(llvm::Module& module, const char* name, llvm::Type* result,
                              llvm::ArrayRef<llvm::Type*> parameters) {
    auto callee = module.getOrInsertFunction(name, llvm::FunctionType::get(result, parameters, false));
    auto* function = llvm::cast<llvm::Function>(callee.getCallee());
    function->setDoesNotThrow();
    function->setConvergent();
    return callee;
}

// Where a barrier is told, what it is told by is right before it.
llvm::CallInst* tellBefore(llvm::Instruction& barrier) {
    llvm::Instruction* before = barrier.getPrevNode();
    return before != nullptr && isCallOf(*before, toldBarrier) ? llvm::cast<llvm::CallInst>(before) : nullptr;
}

// What waits in the middle becomes two calls: all before the wait, and what comes of it.
void splitWait(llvm::CallInst& call) {
    llvm::Module& module = *call.getModule();
    llvm::IRBuilder<> builder(&call);
    llvm::Type* wide = builder.getInt64Ty();
    llvm::Type* number = builder.getInt32Ty();
    llvm::Type* pointer = builder.getPtrTy();
    if (isCallOf(call, item::exchange)) {
        builder.CreateCall(declared(module, item::deposit, builder.getVoidTy(), {wide}), {call.getArgOperand(0)});
        call.replaceAllUsesWith(builder.CreateCall(declared(module, item::lanes, wide, {})));
        builder.CreateStore(builder.CreateCall(declared(module, item::slots, pointer, {})), call.getArgOperand(1));
        call.eraseFromParent();
        return;
    }
    llvm::CallInst* const tell = tellBefore(call);
    llvm::Value* const site =
        tell != nullptr ? tell->getArgOperand(0) : llvm::ConstantPointerNull::get(builder.getPtrTy());
    if (isCallOf(call, reduction)) {
        builder.CreateCall(declared(module, item::vote, builder.getVoidTy(), {wide, number, pointer}),
                           {builder.CreateSExt(call.getArgOperand(0), wide), call.getArgOperand(1), site});
        call.replaceAllUsesWith(builder.CreateCall(declared(module, item::outcome, number, {})));
        call.eraseFromParent();
    } else if (tell != nullptr) {
        builder.CreateCall(declared(module, item::toldBarrier, builder.getVoidTy(), {pointer}), {site});
        call.eraseFromParent();
    }
    if (tell != nullptr) {
        tell->eraseFromParent();
    }
}

// A thread that is no fibre says which one it is.
void tellOfThread(llvm::Function& item, llvm::CallInst& call, const char* name) {
    llvm::SmallVector<llvm::Type*, 8> types(call.getFunctionType()->params());
    llvm::SmallVector<llvm::Value*, 8> operands(call.args());
    types.push_back(item.getArg(item::linear)->getType());
    operands.push_back(item.getArg(item::linear));
    llvm::IRBuilder<> builder(&call);
    auto callee =
        item.getParent()->getOrInsertFunction(name, llvm::FunctionType::get(builder.getVoidTy(), types, false));
    llvm::cast<llvm::Function>(callee.getCallee())->setDoesNotThrow();
    builder.CreateCall(callee, operands);
    call.eraseFromParent();
}

void serveCalls(llvm::Function& item) {
    llvm::SmallVector<llvm::CallInst*, 64> waits, others;
    for (llvm::Instruction& instruction : llvm::instructions(item)) {
        if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
            const bool waiting =
                llvm::any_of(std::initializer_list<const char*>{item::barrier, item::exchange, reduction},
                             [&](const char* name) { return isCallOf(*call, name); });
            (waiting ? waits : others).push_back(call);
        }
    }
    for (llvm::CallInst* call : others) {
        for (const auto& [told, ofThread] : tells) {
            if (isCallOf(*call, told)) {
                tellOfThread(item, *call, ofThread);
                break;
            }
        }
    }
    for (llvm::CallInst* call : waits) {
        splitWait(*call);
    }
}

} // namespace

bool isOfTheThread(const llvm::Argument& argument) {
    return argument.getArgNo() >= item::x && argument.getArgNo() <= item::linear;
}

bool isCallOf(const llvm::Instruction& instruction, std::string_view name) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    return call != nullptr && call->getCalledFunction() != nullptr &&
           std::string_view(call->getCalledFunction()->getName()) == name;
}

llvm::Function* itemFunction(const Kernel& kernel, const llvm::TargetLibraryInfo& library) {
    const llvm::Function& thread = *kernel.thread;
    if (!waitsInKnownWays(thread, library)) {
        return nullptr;
    }
    llvm::IRBuilder<> builder(thread.getContext());
    llvm::Type* pointer = builder.getPtrTy();
    llvm::Type* number = builder.getInt32Ty();
    auto* type = llvm::FunctionType::get(builder.getVoidTy(),
                                         {pointer, pointer, pointer, number, number, number, number, pointer}, false);
    auto* item = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "hipcpu_item." + kernel.name,
                                        const_cast<llvm::Module*>(thread.getParent()));
    llvm::ValueToValueMapTy values;
    llvm::Argument* context = item->getArg(item::storage);
    values[thread.getArg(0)] = item->getArg(item::arguments);
    values[thread.getArg(1)] = context;
    values[thread.getArg(2)] = item->getArg(item::lds);
    llvm::SmallVector<llvm::ReturnInst*, 4> returns;
    llvm::CloneFunctionInto(item, &thread, values, llvm::CloneFunctionChangeType::LocalChangesOnly, returns);
    item->setDSOLocal(true);
    for (unsigned i = item::x; i <= item::linear; ++i) {
        llvm::AttrBuilder attributes(item->getContext());
        attributes.addRangeAttr(llvm::ConstantRange(llvm::APInt(32, 0), llvm::APInt(32, maxThreadsPerBlock)));
        item->addParamAttrs(i, attributes);
    }
    builder.SetInsertPoint(&item->getEntryBlock(), item->getEntryBlock().getFirstInsertionPt());
    llvm::Value* lane = builder.CreateAnd(item->getArg(item::linear), builder.getInt32(waveSize - 1), "lane");
    const auto known = [&](llvm::StringRef name) -> llvm::Value* {
        for (unsigned d = 0; d < 3; ++d) {
            if (name == bound::threadIndex[d]) {
                return item->getArg(item::x + d);
            }
        }
        return name == bound::block ? item->getArg(item::block) : name == bound::lane ? lane : nullptr;
    };
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(item->getEntryBlock())) {
        if (llvm::Value* value = llvm::isa<llvm::LoadInst>(instruction) ? known(instruction.getName()) : nullptr) {
            instruction.replaceAllUsesWith(value);
        }
        if (&instruction == lane || instruction.getType()->isVoidTy() || !instruction.use_empty() ||
            instruction.mayHaveSideEffects()) {
            continue;
        }
        instruction.eraseFromParent();
    }
    // What is left of the thread's context are unused addresses, or uses that a loop cannot serve.
    for (llvm::User* user : llvm::make_early_inc_range(context->users())) {
        if (auto* unused = llvm::dyn_cast<llvm::Instruction>(user); unused != nullptr && unused->use_empty()) {
            unused->eraseFromParent();
        }
    }
    if (!context->use_empty()) {
        item->eraseFromParent();
        return nullptr;
    }
    serveCalls(*item);
    return item;
}

std::optional<PrivateStorage> usePrivateStorage(llvm::Function& item) {
    const llvm::DataLayout& layout = item.getDataLayout();
    llvm::SmallVector<std::pair<llvm::AllocaInst*, std::uint64_t>, 8> variables;
    PrivateStorage storage;
    std::uint64_t bytes = 0;
    for (llvm::Instruction& instruction : llvm::instructions(item)) {
        auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        if (variable == nullptr) {
            continue;
        }
        const auto size = variable->getAllocationSize(layout);
        if (!size || !variable->isStaticAlloca()) {
            return {};
        }
        bytes = llvm::alignTo(bytes, variable->getAlign());
        variables.emplace_back(variable, bytes);
        bytes += size->getFixedValue();
    }
    bytes = llvm::alignTo(bytes, privateAlignment);
    llvm::IRBuilder<> builder(item.getContext());
    for (const auto& [variable, offset] : variables) {
        for (llvm::User* user : llvm::make_early_inc_range(variable->users())) {
            if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(user);
                call != nullptr && call->isLifetimeStartOrEnd()) {
                call->eraseFromParent();
            }
        }
        builder.SetInsertPoint(variable);
        llvm::Value* index = builder.CreateZExt(item.getArg(item::linear), builder.getInt64Ty());
        llvm::Value* place = builder.CreateAdd(builder.CreateMul(index, builder.getInt64(bytes), "", true, true),
                                               builder.getInt64(offset), "", true, true);
        llvm::Value* address = builder.CreateInBoundsGEP(builder.getInt8Ty(), item.getArg(item::storage), place);
        storage.places[address] = offset;
        variable->replaceAllUsesWith(address);
        variable->eraseFromParent();
    }
    storage.bytes = bytes;
    return storage;
}

} // namespace gks::hipcpu
