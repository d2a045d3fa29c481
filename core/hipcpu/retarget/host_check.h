// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>

namespace llvm {
class Module;
} // namespace llvm

namespace gks::hipcpu {

// Refuses what would let host code past the list of functions that it may call: inline assembly, assembly at file
// scope, sections of its own.
Result<void> checkHostCode(const llvm::Module& host);

// Puts a call of the runtime library before every access to memory that may be a device buffer, so that host code that
// touches one ends as it would with a GPU. What provably is the function's own or a global variable is left alone.
void guardDeviceMemory(llvm::Module& host);

struct HostObjects {
    std::filesystem::path guarded;
    std::filesystem::path unguarded; // for a process without device memory; empty: none
};

// Both of the above, then object code for this machine.
Result<void> compileHostCode(const std::filesystem::path& bitcode, const HostObjects& objects, int optimisationLevel);

} // namespace gks::hipcpu
