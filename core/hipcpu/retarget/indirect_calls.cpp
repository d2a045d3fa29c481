// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/indirect_calls.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace gks::hipcpu {
namespace {

std::vector<llvm::CallBase*> indirectCalls(llvm::Module& flat) {
    std::vector<llvm::CallBase*> calls;
    for (llvm::Function& function : flat) {
        for (llvm::Instruction& instruction : llvm::instructions(function)) {
            auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
            if (call != nullptr && !call->isInlineAsm() &&
                !llvm::isa<llvm::Function>(call->getCalledOperand()->stripPointerCasts())) {
                calls.push_back(call);
            }
        }
    }
    return calls;
}

// void (ptr target): compares with one function after the other; modules have few.
llvm::Function* question(llvm::Module& flat) {
    std::vector<llvm::Function*> targets;
    for (llvm::Function& function : flat) {
        if (!function.isDeclaration() && function.hasAddressTaken()) {
            targets.push_back(&function);
        }
    }
    llvm::LLVMContext& context = flat.getContext();
    llvm::IRBuilder<> builder(context);
    auto* type = llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false);
    auto* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "hipcpu.indirect", &flat);
    auto* known = llvm::BasicBlock::Create(context, "known", function);
    llvm::ReturnInst::Create(context, known);
    auto* at = llvm::BasicBlock::Create(context, "ask", function, known);
    for (llvm::Function* target : targets) {
        auto* next = llvm::BasicBlock::Create(context, "ask", function, known);
        builder.SetInsertPoint(at);
        builder.CreateCondBr(builder.CreateICmpEQ(function->getArg(0), target), known, next);
        at = next;
    }
    builder.SetInsertPoint(at);
    const auto fail = flat.getOrInsertFunction(
        "hipcpu_fail", llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false));
    builder.CreateCall(fail,
                       {builder.CreateGlobalString("an indirect call leads to no device function of the kernel")});
    builder.CreateIntrinsic(llvm::Intrinsic::trap, {}, {}); // should it ever come back
    builder.CreateUnreachable();
    return function;
}

} // namespace

void guardIndirectCalls(llvm::Module& flat) {
    const std::vector<llvm::CallBase*> calls = indirectCalls(flat);
    if (calls.empty()) {
        return;
    }
    llvm::Function* ask = question(flat);
    for (llvm::CallBase* call : calls) {
        llvm::IRBuilder<>(call).CreateCall(ask, {call->getCalledOperand()});
    }
}

} // namespace gks::hipcpu
