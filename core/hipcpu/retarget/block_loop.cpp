// SPDX-License-Identifier: GPL-3.0-or-later
// Block functions. A kernel without barriers and cross-lane operations needs no fibres: its threads can run one after
// the other. The thread function is copied with the thread index as parameters and called in a loop nest (x innermost).
// Where the threads touch no memory in common by the rules of the language (no atomics, no LDS, no volatile access),
// their accesses are declared independent of each other (llvm.loop.parallel_accesses), which lets the loop vectoriser
// put neighbouring threads into the lanes of a vector register: the memory-bound kernels gain a factor of four and more
// over fibres.
#include "core/hipcpu/retarget/block_loop.h"

#include "core/hipcpu/abi.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace gks::hipcpu {
namespace {

// Calls that cannot switch to another thread of the block: mathematics, memory intrinsics, the end of the program.
bool isHarmless(const llvm::CallBase& call, const llvm::TargetLibraryInfo& library) {
    const llvm::Function* callee = call.getCalledFunction();
    if (callee == nullptr) {
        return false;
    }
    llvm::LibFunc known{};
    return callee->isIntrinsic() || callee->getName() == "hipcpu_fail" ||
           (callee->isDeclaration() && (callee->doesNotAccessMemory() || library.getLibFunc(*callee, known)));
}

bool canLoop(const llvm::Function& thread, const llvm::TargetLibraryInfo& library) {
    for (const llvm::Instruction& instruction : llvm::instructions(thread)) {
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (call != nullptr && !isHarmless(*call, library)) {
            return false;
        }
    }
    return true;
}

bool hasIndependentThreads(const llvm::Function& thread) {
    if (!thread.getArg(2)->use_empty()) {
        return false;
    }
    for (const llvm::Instruction& instruction : llvm::instructions(thread)) {
        if (instruction.isAtomic() || instruction.isVolatile() || llvm::isa<llvm::AllocaInst>(instruction)) {
            return false;
        }
    }
    return true;
}

llvm::Value* field(llvm::IRBuilder<>& builder, llvm::Type* type, llvm::Value* base, std::size_t offset,
                   const char* name) {
    llvm::LoadInst* load =
        builder.CreateLoad(type, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset), name);
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(builder.getContext(), {}));
    return load;
}

// The thread function with (arguments, block, lds, x, y, z) for parameters; nullptr when it needs more of its thread
// than that.
llvm::Function* itemFunction(const Kernel& kernel) {
    const llvm::Function& thread = *kernel.thread;
    llvm::IRBuilder<> builder(thread.getContext());
    llvm::Type* pointer = builder.getPtrTy();
    llvm::Type* number = builder.getInt32Ty();
    auto* type = llvm::FunctionType::get(builder.getVoidTy(),
                                         {pointer, pointer, pointer, number, number, number, pointer}, false);
    auto* item = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "hipcpu_item." + kernel.name,
                                        const_cast<llvm::Module*>(thread.getParent()));
    llvm::ValueToValueMapTy values;
    llvm::Argument* context = item->getArg(6);
    values[thread.getArg(0)] = item->getArg(0);
    values[thread.getArg(1)] = context;
    values[thread.getArg(2)] = item->getArg(2);
    llvm::SmallVector<llvm::ReturnInst*, 4> returns;
    llvm::CloneFunctionInto(item, &thread, values, llvm::CloneFunctionChangeType::LocalChangesOnly, returns);
    item->setDSOLocal(true);
    llvm::Value* index[3] = {item->getArg(3), item->getArg(4), item->getArg(5)};
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(item->getEntryBlock())) {
        for (unsigned d = 0; d < 3; ++d) {
            if (instruction.getName() == bound::threadIndex[d]) {
                instruction.replaceAllUsesWith(index[d]);
            }
        }
        if (instruction.getName() == bound::block) {
            instruction.replaceAllUsesWith(item->getArg(1));
        }
        if (instruction.getType()->isVoidTy() || !instruction.use_empty() || instruction.mayHaveSideEffects()) {
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
    return item;
}

struct Loop {
    llvm::BasicBlock* head = nullptr;
    llvm::PHINode* index = nullptr;
};

Loop openLoop(llvm::IRBuilder<>& builder, const char* name) {
    llvm::BasicBlock* before = builder.GetInsertBlock();
    auto* head = llvm::BasicBlock::Create(builder.getContext(), name, before->getParent());
    builder.CreateBr(head);
    builder.SetInsertPoint(head);
    llvm::PHINode* index = builder.CreatePHI(builder.getInt32Ty(), 2, name);
    index->addIncoming(builder.getInt32(0), before);
    return {head, index};
}

llvm::BranchInst* closeLoop(llvm::IRBuilder<>& builder, const Loop& loop, llvm::Value* count) {
    llvm::Value* next = builder.CreateAdd(loop.index, builder.getInt32(1), "", true, true);
    loop.index->addIncoming(next, builder.GetInsertBlock());
    auto* after = llvm::BasicBlock::Create(builder.getContext(), "", loop.head->getParent());
    llvm::BranchInst* branch = builder.CreateCondBr(builder.CreateICmpULT(next, count), loop.head, after);
    builder.SetInsertPoint(after);
    return branch;
}

void declareParallel(llvm::Function& item, llvm::BranchInst& latch) {
    llvm::LLVMContext& context = item.getContext();
    llvm::MDNode* group = llvm::MDNode::getDistinct(context, {});
    for (llvm::Instruction& instruction : llvm::instructions(item)) {
        if (instruction.mayReadOrWriteMemory()) {
            instruction.setMetadata(llvm::LLVMContext::MD_access_group, group);
        }
    }
    llvm::MDNode* parallel =
        llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.parallel_accesses"), group});
    llvm::MDNode* id = llvm::MDNode::getDistinct(context, {nullptr, parallel});
    id->replaceOperandWith(0, id);
    latch.setMetadata(llvm::LLVMContext::MD_loop, id);
}

llvm::Function* blockFunction(const Kernel& kernel, llvm::Function& item) {
    llvm::IRBuilder<> builder(item.getContext());
    llvm::Type* pointer = builder.getPtrTy();
    auto* function =
        llvm::Function::Create(llvm::FunctionType::get(builder.getVoidTy(), {pointer, pointer}, false),
                               llvm::GlobalValue::InternalLinkage, "hipcpu_block." + kernel.name, item.getParent());
    function->setDoesNotThrow();
    builder.SetInsertPoint(llvm::BasicBlock::Create(item.getContext(), "", function));
    llvm::Value* arguments = function->getArg(0);
    llvm::Value* block = function->getArg(1);
    llvm::Value* lds = field(builder, pointer, block, offsetof(BlockContext, lds), "lds");
    llvm::Value* size[3] = {};
    for (unsigned d = 0; d < 3; ++d) {
        size[d] = field(builder, builder.getInt32Ty(), block, offsetof(BlockContext, blockSize) + 4 * d, "size");
    }
    const Loop z = openLoop(builder, "z");
    const Loop y = openLoop(builder, "y");
    const Loop x = openLoop(builder, "x");
    llvm::CallInst* call =
        builder.CreateCall(&item, {arguments, block, lds, x.index, y.index, z.index, llvm::PoisonValue::get(pointer)});
    llvm::BranchInst* innermost = closeLoop(builder, x, size[0]);
    closeLoop(builder, y, size[1]);
    closeLoop(builder, z, size[2]);
    builder.CreateRetVoid();
    if (hasIndependentThreads(*kernel.thread)) {
        declareParallel(item, *innermost);
    }
    llvm::InlineFunctionInfo info;
    llvm::InlineFunction(*call, info);
    item.eraseFromParent();
    loadArgumentsOnce(*function, arguments, block);
    return function;
}

} // namespace

void makeBlockFunctions(llvm::Module& flat, std::vector<Kernel>& kernels) {
    const llvm::TargetLibraryInfoImpl known{llvm::Triple(flat.getTargetTriple())};
    const llvm::TargetLibraryInfo library(known);
    for (Kernel& kernel : kernels) {
        if (canLoop(*kernel.thread, library)) {
            if (llvm::Function* item = itemFunction(kernel)) {
                kernel.block = blockFunction(kernel, *item);
            }
        }
    }
}

} // namespace gks::hipcpu
