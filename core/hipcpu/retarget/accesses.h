// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace gks::hipcpu {

// At every access to memory that more than its own thread may touch: a call of hipcpu_access() (abi.h), and likewise at
// barriers and in loops. To be done while the accesses are those of the source and debug information is there; files in
// the folders of the system are no places that a person wants to hear of.
void tellAccesses(llvm::Module& flat, const std::vector<std::filesystem::path>& systemFolders);

} // namespace gks::hipcpu
