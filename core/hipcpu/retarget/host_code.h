// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <memory>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace gks::hipcpu {

// Code generator for the CPU that this process runs on.
Result<std::unique_ptr<llvm::TargetMachine>> hostMachine(int optimisationLevel);

// Inlines everything that is marked for it and takes local variables out of memory. What accesses are left are those of
// the source: none is moved to where the source has none.
void inlineEverything(llvm::Module& flat, llvm::TargetMachine& machine);

// After it: makes constants and addresses visible.
void tidy(llvm::Module& flat, llvm::TargetMachine& machine);

// The full pipeline of the level, 0 to 3.
void optimise(llvm::Module& flat, llvm::TargetMachine& machine, int level);

Result<void> emitObject(llvm::Module& flat, llvm::TargetMachine& machine, const std::filesystem::path& path);

} // namespace gks::hipcpu
