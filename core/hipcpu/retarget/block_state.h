// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/retarget/region_function.h"

#include <cstdint>
#include <llvm/IR/IRBuilder.h>

namespace gks::hipcpu {

// What a block function keeps while it runs: the block's size and memory, and what stands between two regions.
struct BlockState {
    // Where the builder stands, at the begin of a block function.
    BlockState(llvm::IRBuilder<>& builder, const Regions& regions, const RegionFunctions& functions,
               std::uint64_t privateBytes);

    llvm::Value* lds = nullptr;
    llvm::Value* size[3] = {};
    llvm::Value* threads = nullptr;
    llvm::Value* isReversed = nullptr; // the order of the threads
    llvm::Value* storage = nullptr;
    llvm::AllocaInst* deposits[2] = {}; // to read and to write
    llvm::AllocaInst* outcome = nullptr;
    llvm::Value* going = nullptr;
    llvm::Value* lanes = nullptr;
    llvm::SmallVector<llvm::AllocaInst*, 16> uniform;
    llvm::SmallVector<llvm::Value*, 16> ofThread;
};

} // namespace gks::hipcpu
