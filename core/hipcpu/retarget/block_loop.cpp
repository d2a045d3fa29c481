// SPDX-License-Identifier: GPL-3.0-or-later
// Block functions: a kernel without fibres. Its threads go through the regions of the kernel (see regions.h), all
// through one before the first goes through the next: a loop over the threads for each region, with what a thread
// keeps in between in arrays, and decisions that all threads make in the same way between the loops. Where the threads
// touch no memory in common by the rules of the language (no atomics, no volatile access), their accesses are declared
// independent of each other (llvm.loop.parallel_accesses), which lets the loop vectoriser put neighbouring threads into
// the lanes of a vector register.
//
// Where threads part before exchanges of their waves each notes the region that is its next one. Of these the first in
// the order of places.h runs then, for those that wait for it, until all wait for the one where they meet.
//
// A block whose rows are multiples of 16 threads long has loops of exactly 16 threads within, whose first one has an
// index that 16 divides (see lane_strips.h). Other blocks are rare: they have a loop nest, x innermost, that calls the
// regions' functions where there are several, since a second copy of them all costs more time to compile than it saves.
#include "core/hipcpu/retarget/block_loop.h"

#include "core/hipcpu/abi.h"
#include "core/hipcpu/retarget/block_function.h"
#include "core/hipcpu/retarget/host_code.h"
#include "core/hipcpu/retarget/item_function.h"
#include "core/hipcpu/retarget/lane_strips.h"
#include "core/hipcpu/retarget/private_bounds.h"
#include "core/hipcpu/retarget/thread_vectors.h"
#include "core/hipcpu/retarget/told_loops.h"
#include "core/hipcpu/retarget/uniform_divisions.h"
#include "core/hipcpu/retarget/uniform_steps.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

namespace gks::hipcpu {
namespace {

constexpr std::uint64_t mostBytes = 4 << 20; // that a block keeps between regions: it runs on an ordinary stack

llvm::MDNode* declareIndependent(llvm::Function& region) {
    llvm::MDNode* group = llvm::MDNode::getDistinct(region.getContext(), {});
    for (llvm::Instruction& instruction : llvm::instructions(region)) {
        if (instruction.mayReadOrWriteMemory()) {
            instruction.setMetadata(llvm::LLVMContext::MD_access_group, group);
        }
    }
    return group;
}

// Rows of whole strips go one way, others the other.
llvm::Function* eitherOf(llvm::Function& inStrips, llvm::Function& inRows, const std::string& name) {
    llvm::IRBuilder<> builder(inStrips.getContext());
    auto* function = llvm::Function::Create(inStrips.getFunctionType(), llvm::GlobalValue::InternalLinkage, name,
                                            inStrips.getParent());
    function->setDoesNotThrow();
    markSimplified(*function);
    auto* strips = llvm::BasicBlock::Create(builder.getContext(), "strips", function);
    auto* rows = llvm::BasicBlock::Create(builder.getContext(), "rows", function);
    builder.SetInsertPoint(llvm::BasicBlock::Create(builder.getContext(), "", function, strips));
    llvm::Value* size = builder.CreateLoad(builder.getInt32Ty(),
                                           builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), function->getArg(1),
                                                                              offsetof(BlockContext, blockSize)));
    builder.CreateCondBr(builder.CreateIsNull(builder.CreateAnd(size, builder.getInt32(laneStrip - 1))), strips, rows);
    for (auto [block, callee] : {std::pair(strips, &inStrips), std::pair(rows, &inRows)}) {
        builder.SetInsertPoint(block);
        builder.CreateCall(callee, {function->getArg(0), function->getArg(1)})->setTailCall();
        builder.CreateRetVoid();
    }
    return function;
}

llvm::Function* blockFunction(Kernel& kernel, llvm::Function& item, const BlockOptions& options) {
    llvm::removeUnreachableBlocks(item);
    const auto storage = usePrivateStorage(item);
    const auto regions = storage ? regionsOf(item, *storage) : std::nullopt;
    if (!regions) {
        return nullptr;
    }
    const RegionFunctions functions(item, *regions);
    std::uint64_t bytes = storage->bytes;
    for (llvm::Type* type : functions.arrays().types()) {
        bytes += item.getDataLayout().getTypeAllocSize(type).getFixedValue();
    }
    if (bytes * kernel.maxThreadsPerBlock > mostBytes) {
        return nullptr;
    }
    std::vector<RegionCode> code;
    for (unsigned i = 0; i < regions->regions.size(); ++i) {
        RegionCode& one = code.emplace_back(RegionCode{functions.make(i)});
        if (one.made.isIndependent) {
            one.accesses = declareIndependent(*one.made.function);
        }
    }
    llvm::Module& module = *item.getParent();
    llvm::Function* made[2] = {};
    for (const bool inStrips : {true, false}) {
        if (inStrips && !options.inStrips) {
            continue;
        }
        llvm::Function*& form = made[inStrips ? 0 : 1];
        form = blockFunctionOf("hipcpu_block." + kernel.name + (inStrips ? ".strips" : ".rows"), module, *regions,
                               functions, code, storage->bytes, {inStrips, options.tells});
        markSimplified(*form);
    }
    for (const RegionCode& one : code) {
        if (one.made.function->use_empty()) {
            one.made.function->eraseFromParent();
        } else { // of blocks that are rare
            one.made.function->addFnAttr(llvm::Attribute::OptimizeForSize);
            markSimplified(*one.made.function);
        }
    }
    if (!options.inStrips) {
        return made[1];
    }
    kernel.rows = made[1];
    return eitherOf(*made[0], *made[1], "hipcpu_block." + kernel.name);
}

} // namespace

void makeItemFunctions(std::vector<Kernel>& kernels, const BlockOptions& options) {
    for (Kernel& kernel : kernels) {
        const llvm::TargetLibraryInfoImpl known{llvm::Triple(kernel.thread->getParent()->getTargetTriple())};
        // Whom a thread waits for may be one of its own block, in whichever order they go: fibres, which give way. What
        // runs fast is made for the order in which nearly all of them come out right.
        if (!options.tells || !kernel.waitsForOthers) {
            kernel.item = itemFunction(kernel, llvm::TargetLibraryInfo(known));
        }
    }
}

void makeBlockFunctions(std::vector<Kernel>& kernels, llvm::TargetMachine& machine, const BlockOptions& options) {
    std::vector<llvm::Function*> items;
    for (const Kernel& kernel : kernels) {
        if (kernel.item != nullptr) {
            items.push_back(kernel.item);
        }
    }
    if (options.tells) {
        for (llvm::Function* item : items) {
            unrollAsUntold(*item);
        }
    }
    simplify(items, machine, options.level);
    if (options.tells) {
        for (llvm::Function* item : items) {
            dropCertainPlaces(*item);
            stepTogether(*item);
        }
    } else { // the value of a write is told in one piece
        std::vector<llvm::Function*> withVectors;
        llvm::copy_if(items, std::back_inserter(withVectors),
                      [](llvm::Function* item) { return prepareVectors(*item); });
        scalarise(withVectors, machine);
    }
    for (Kernel& kernel : kernels) {
        if (kernel.item == nullptr) {
            continue;
        }
        divideOutOfLine(*kernel.item);
        kernel.block = blockFunction(kernel, *kernel.item, options);
        kernel.item->eraseFromParent();
        kernel.item = nullptr;
        if (kernel.block != nullptr && options.tells) {
            kernel.thread->eraseFromParent();
            kernel.thread = nullptr;
        } else if (kernel.block != nullptr) {
            // Its fibres are for those who look for a fault. Smaller still would be calls of the C library's fmax, for
            // which a signalling NaN is more than the other operand.
            kernel.thread->addFnAttr(llvm::Attribute::OptimizeForSize);
        }
    }
}

} // namespace gks::hipcpu
