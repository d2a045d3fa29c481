// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/retarget/region_function.h"

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class MDNode;
class Module;
} // namespace llvm

namespace gks::hipcpu {

struct RegionCode {
    RegionFunctions::Made made;
    llvm::MDNode* accesses = nullptr; // the group of its accesses, where its threads are independent
};

struct BlockForm {
    bool inStrips = true; // for blocks whose rows are whole strips (lane_strips.h), or for any
    bool tells = false;   // its accesses
};

// Makes a BlockFunction (abi.h) of a kernel's region functions, in the order of the regions. `privateBytes` are those
// of one thread.
llvm::Function* blockFunctionOf(const std::string& name, llvm::Module& module, const Regions& regions,
                                const RegionFunctions& functions, const std::vector<RegionCode>& code,
                                std::uint64_t privateBytes, const BlockForm& form);

} // namespace gks::hipcpu
