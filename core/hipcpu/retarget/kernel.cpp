// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/kernel.h"

#include "core/hipcpu/abi.h"
#include "core/hipcpu/retarget/flatten.h"

#include <algorithm>
#include <cstddef>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <map>
#include <optional>
#include <tuple>

namespace gks::hipcpu {
namespace {

std::uint32_t declaredMaxThreads(const llvm::Function& kernel) {
    const llvm::StringRef range = kernel.getFnAttribute("amdgpu-flat-work-group-size").getValueAsString();
    std::uint32_t maximum = 0;
    return range.split(',').second.getAsInteger(10, maximum) ? maxThreadsPerBlock
                                                             : std::min(maximum, maxThreadsPerBlock);
}

void markInvariant(llvm::Instruction& load) {
    load.setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(load.getContext(), {}));
}

llvm::LoadInst* invariantLoad(llvm::IRBuilder<>& builder, llvm::Type* type, llvm::Value* base, std::uint64_t offset,
                              const llvm::Twine& name) {
    llvm::Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
    llvm::LoadInst* load = builder.CreateAlignedLoad(type, address, llvm::Align(type->isPointerTy() ? 8 : 4), name);
    markInvariant(*load);
    return load;
}

llvm::Function* threadFunctionOf(llvm::Module& flat, const Kernel& kernel) {
    llvm::IRBuilder<> builder(flat.getContext());
    llvm::Type* pointer = builder.getPtrTy();
    auto* type = llvm::FunctionType::get(builder.getVoidTy(), {pointer, pointer, pointer}, false);
    // External until the module table holds it, or dead code elimination would take it.
    auto* function =
        llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "hipcpu_thread." + kernel.name, &flat);
    function->setDoesNotThrow();
    function->getArg(0)->setName("arguments");
    function->getArg(1)->setName("thread");
    function->getArg(2)->setName("lds");
    function->addParamAttr(2, llvm::Attribute::getWithAlignment(flat.getContext(), llvm::Align(1024)));
    builder.SetInsertPoint(llvm::BasicBlock::Create(flat.getContext(), "", function));
    llvm::SmallVector<llvm::Value*, 16> values;
    for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
        const KernelArgument& argument = kernel.arguments[i];
        llvm::Value* storage = invariantLoad(builder, pointer, function->getArg(0), i * sizeof(void*), "");
        if (argument.byReference) {
            values.push_back(storage);
            continue;
        }
        // A bool is a byte in memory.
        llvm::Type* inMemory = argument.type->isIntegerTy(1) ? builder.getInt8Ty() : argument.type;
        llvm::LoadInst* load = builder.CreateAlignedLoad(inMemory, storage, llvm::Align(1));
        markInvariant(*load);
        load->setName(kernel.body->getArg(static_cast<unsigned>(i))->getName());
        values.push_back(inMemory == argument.type ? static_cast<llvm::Value*>(load)
                                                   : builder.CreateTrunc(load, argument.type));
    }
    builder.CreateCall(kernel.body, values);
    builder.CreateRetVoid();
    return function;
}

// What lies between the fields of structures, also of those within others.
void addPadding(llvm::Type* type, const llvm::DataLayout& layout, std::uint64_t offset,
                std::vector<PaddingSummary>& into) {
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type);
        array != nullptr && array->getElementType()->isAggregateType()) {
        const std::uint64_t stride = layout.getTypeAllocSize(array->getElementType()).getFixedValue();
        for (std::uint64_t i = 0; i < array->getNumElements(); ++i) {
            addPadding(array->getElementType(), layout, offset + i * stride, into);
        }
        return;
    }
    auto* structure = llvm::dyn_cast<llvm::StructType>(type);
    if (structure == nullptr) {
        return;
    }
    const llvm::StructLayout* places = layout.getStructLayout(structure);
    std::uint64_t end = 0;
    const auto hole = [&](std::uint64_t until) {
        if (until > end) {
            into.push_back({static_cast<std::uint32_t>(offset + end), static_cast<std::uint32_t>(until - end)});
        }
    };
    for (unsigned i = 0; i < structure->getNumElements(); ++i) {
        const std::uint64_t begin = places->getElementOffset(i).getFixedValue();
        hole(begin);
        addPadding(structure->getElementType(i), layout, offset + begin, into);
        end = begin + layout.getTypeStoreSize(structure->getElementType(i)).getFixedValue();
    }
    hole(places->getSizeInBytes().getFixedValue());
}

// Loads at a constant distance from `base`, with that distance.
std::vector<std::pair<llvm::LoadInst*, std::uint64_t>> loadsFrom(llvm::Function& function, const llvm::Value* base) {
    std::vector<std::pair<llvm::LoadInst*, std::uint64_t>> found;
    const llvm::DataLayout& layout = function.getDataLayout();
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
        auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        if (load == nullptr || llvm::getUnderlyingObject(load->getPointerOperand(), 0) != base) {
            continue;
        }
        markInvariant(*load);
        llvm::APInt offset(64, 0);
        if (load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true) == base) {
            found.emplace_back(load, offset.getZExtValue());
        }
    }
    return found;
}

void replaceLoad(llvm::LoadInst* load, llvm::Value* value) {
    if (load != value && load->getType() == value->getType()) {
        load->replaceAllUsesWith(value);
        load->eraseFromParent();
    }
}

} // namespace

std::vector<Kernel> kernelsOf(const llvm::Module& device) {
    std::vector<Kernel> kernels;
    for (const llvm::Function& function : device) {
        if (function.isDeclaration() || function.getCallingConv() != llvm::CallingConv::AMDGPU_KERNEL) {
            continue;
        }
        Kernel kernel;
        kernel.name = function.getName().str();
        kernel.maxThreadsPerBlock = declaredMaxThreads(function);
        for (const llvm::Argument& argument : function.args()) {
            KernelArgument info;
            info.byReference = argument.hasByRefAttr();
            llvm::Type* type = info.byReference ? argument.getParamByRefType() : argument.getType();
            info.summary.sizeBytes =
                static_cast<std::uint32_t>(device.getDataLayout().getTypeAllocSize(type).getFixedValue());
            addPadding(type, device.getDataLayout(), 0, info.summary.padding);
            kernel.arguments.push_back(info);
        }
        kernels.push_back(std::move(kernel));
    }
    return kernels;
}

void makeThreadFunctions(llvm::Module& flat, std::vector<Kernel>& kernels) {
    for (Kernel& kernel : kernels) {
        kernel.body = flat.getFunction(renamed::kernel + kernel.name);
        for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
            kernel.arguments[i].type = kernel.body->getArg(static_cast<unsigned>(i))->getType();
        }
        kernel.thread = threadFunctionOf(flat, kernel);
    }
}

void loadArgumentsOnce(llvm::Function& function, llvm::Value* arguments, llvm::Value* block) {
    const llvm::DataLayout& layout = function.getDataLayout();
    llvm::IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    llvm::SmallPtrSet<const llvm::Value*, 16> storages, created;
    std::map<std::tuple<const llvm::Value*, std::uint64_t, llvm::Type*>, llvm::LoadInst*> known;
    llvm::SmallVector<llvm::LoadInst*, 32> replaced;
    // In the order of execution a storage address is loaded before what is stored there.
    for (llvm::BasicBlock* at : llvm::ReversePostOrderTraversal<llvm::Function*>(&function)) {
        for (llvm::Instruction& instruction : *at) {
            auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
            if (load == nullptr || !load->isSimple() || created.contains(load)) {
                continue;
            }
            llvm::APInt offset(64, 0);
            llvm::Value* base = load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
            if (base != arguments && (block == nullptr || base != block) && !storages.contains(base)) {
                continue;
            }
            llvm::LoadInst*& once = known[{base, offset.getZExtValue(), load->getType()}];
            if (once == nullptr) {
                llvm::Value* address =
                    builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset.getZExtValue());
                once = builder.CreateAlignedLoad(load->getType(), address, load->getAlign());
                markInvariant(*once);
                created.insert(once);
                if (base == arguments) {
                    storages.insert(once);
                }
            }
            load->replaceAllUsesWith(once);
            replaced.push_back(load);
        }
    }
    // Only now: one of them may be where the builder inserts.
    for (llvm::LoadInst* load : replaced) {
        load->eraseFromParent();
    }
}

void bindContext(llvm::Function& function) {
    llvm::Argument* thread = function.getArg(1);
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        const llvm::Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
        if (callee != nullptr &&
            (callee->getName() == "hipcpu_this_thread" || callee->getName() == "hipcpu_lds_base")) {
            call->replaceAllUsesWith(function.getArg(callee->getName() == "hipcpu_lds_base" ? 2 : 1));
            call->eraseFromParent();
        }
    }
    llvm::IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
    llvm::Type* number = builder.getInt32Ty();
    const auto early = loadsFrom(function, thread);
    llvm::Value* index[3] = {};
    for (unsigned d = 0; d < 3; ++d) {
        llvm::LoadInst* load =
            invariantLoad(builder, number, thread, offsetof(ThreadContext, threadIndex) + d * 4, bound::threadIndex[d]);
        load->setMetadata(llvm::LLVMContext::MD_range,
                          llvm::MDBuilder(function.getContext())
                              .createRange(llvm::APInt(32, 0), llvm::APInt(32, maxThreadsPerBlock)));
        index[d] = load;
    }
    llvm::LoadInst* lane = invariantLoad(builder, number, thread, offsetof(ThreadContext, lane), bound::lane);
    llvm::LoadInst* block =
        invariantLoad(builder, builder.getPtrTy(), thread, offsetof(ThreadContext, block), bound::block);
    for (const auto& [load, offset] : early) {
        if (offset == offsetof(ThreadContext, block)) {
            replaceLoad(load, block);
        } else if (offset == offsetof(ThreadContext, lane)) {
            replaceLoad(load, lane);
        } else if (offset < sizeof(ThreadContext::threadIndex) && offset % 4 == 0) {
            replaceLoad(load, index[offset / 4]);
        }
    }
    for (const auto& [load, offset] : loadsFrom(function, block)) {
        if (offset == offsetof(BlockContext, lds)) {
            replaceLoad(load, function.getArg(2));
        }
    }
}

} // namespace gks::hipcpu
