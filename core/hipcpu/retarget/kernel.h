// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/hipcpu/retarget/retarget.h"

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class Function;
class Module;
class Type;
class Value;
} // namespace llvm

namespace gks::hipcpu {

struct KernelArgument {
    llvm::Type* type = nullptr; // flat; of the aggregate when byReference
    bool byReference = false;   // the kernel takes a pointer to the argument's storage
    ArgumentSummary summary;
};

// A kernel on its way through the retargeter.
struct Kernel {
    std::string name; // mangled
    std::vector<KernelArgument> arguments;
    std::uint32_t maxThreadsPerBlock = 0;
    llvm::Function* body = nullptr;   // the kernel as written; internal, inlined into `thread`
    llvm::Function* thread = nullptr; // ThreadFunction of abi.h, or nullptr where there is none but `block`
    llvm::Function* item = nullptr;   // see item_function.h: what `block` is made of; nullptr where there will be none
    llvm::Function* block = nullptr;  // BlockFunction of abi.h, or nullptr
    llvm::Function* rows = nullptr;   // what `block` calls for blocks that are rare, or nullptr
    std::uint32_t staticLdsBytes = 0;
    bool usesDynamicLds = false;
    bool waitsForOthers = false;                        // see waiting_loops.h
    std::uint64_t writtenArguments = ~std::uint64_t{0}; // see written_arguments.h
};

// What the device module says about its kernels: to be asked before it is flattened.
std::vector<Kernel> kernelsOf(const llvm::Module& device);

// Finds the bodies in the flat module, completes the arguments and makes the thread functions: load the arguments, call
// the body.
void makeThreadFunctions(llvm::Module& flat, std::vector<Kernel>& kernels);

// After inlining: thread index, block and LDS base of a thread function come from its parameters, loaded once at its
// entry.
void bindContext(llvm::Function& thread);

// Loads what the kernel reads from its argument array, and from the block when it is given, once at the entry of the
// function. Everything there is constant and readable, but the optimiser may not know it across a barrier, or move a
// load out of a branch.
void loadArgumentsOnce(llvm::Function& function, llvm::Value* arguments, llvm::Value* block);

// Names of the values that bindContext leaves in the entry block.
namespace bound {
inline constexpr const char* threadIndex[3] = {"hipcpu.x", "hipcpu.y", "hipcpu.z"};
inline constexpr const char* lane = "hipcpu.lane";
inline constexpr const char* block = "hipcpu.block";
} // namespace bound

} // namespace gks::hipcpu
