// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace llvm {
class Function;
class Module;
class TargetMachine;
} // namespace llvm

namespace gks::hipcpu {

// Code generator for the CPU that this process runs on.
Result<std::unique_ptr<llvm::TargetMachine>> hostMachine(int optimisationLevel);

// Whether it has instructions for products and sums of halves.
bool computesHalves(const llvm::TargetMachine& machine);

// Inlines everything that is marked for it and takes local variables out of memory. What accesses are left are those of
// the source: none is moved to where the source has none.
void inlineEverything(llvm::Module& flat, llvm::TargetMachine& machine);

// After it: makes constants and addresses visible.
void tidy(llvm::Module& flat, llvm::TargetMachine& machine);

// Loops of few turns are unrolled, values leave memory, what does not change in a loop leaves it: the first half of
// what a compiler does with a function, before it looks at vectors. Entries may be null.
void simplify(const std::vector<llvm::Function*>& functions, llvm::TargetMachine& machine, int level);

// Of a function that is made of simplified ones and loops around them: that half is not done again.
void markSimplified(llvm::Function& function);

// Operations on vectors become operations on their elements.
void scalarise(const std::vector<llvm::Function*>& functions, llvm::TargetMachine& machine);

// The full pipeline of the level, 0 to 3; of what is marked the second half, from level 2 on.
void optimise(llvm::Module& flat, llvm::TargetMachine& machine, int level);

Result<void> emitObject(llvm::Module& flat, llvm::TargetMachine& machine, const std::filesystem::path& path);

} // namespace gks::hipcpu
