// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/retarget/kernel.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Module;
}

// Device code taken apart: most of a build is work on code of which no kernel sees another's.
namespace gks::hipcpu {

// A kernel that is still to get its block function, by the names of its functions.
struct KernelCode {
    std::string name;
    std::string thread;
    std::string item;
    std::string block;
    std::uint32_t maxThreadsPerBlock = 0;
};
struct DevicePart {
    std::string bitcode;
    std::optional<KernelCode> kernel = {}; // none: it can be compiled as it is
};

// Before the module's table is made: it refers to the block functions that kernels with an item function may get.
void declareBlockFunctions(llvm::Module& flat, std::vector<Kernel>& kernels, const std::string& unit);

// First what is not of one kernel alone (variables, tables, what several call), then one part for each kernel. What
// they use of each other becomes hidden, under a name that no other unit has. Leaves the module unusable.
std::vector<DevicePart> partsOf(llvm::Module& flat, const std::vector<Kernel>& kernels, const std::string& unit);

struct Piece {
    std::string bitcode;
    bool isForFaults = false; // runs only where somebody looks for a fault, and needs not be fast
};
struct Pieces {
    std::unique_ptr<llvm::Module> first; // in the same context
    std::vector<Piece> others;
};
// Of a part, once its kernel has its functions: what most of its blocks run, what rare ones do, and its fibres where it
// has loops as well. As one piece a kernel would keep one processor alone busy. Leaves the module unusable.
Pieces piecesOf(llvm::Module& part, const Kernel& kernel);

// The module as it is, as LLVM bitcode.
std::string bitcodeOf(llvm::Module& flat);

} // namespace gks::hipcpu
