// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/hipcpu/retarget/block_loop.h"
#include "core/hipcpu/retarget/kernel_parts.h"

#include <filesystem>
#include <string>
#include <vector>

// Parts of device code, on their way to objects: side by side, and one that nobody has changed is neither made to loops
// nor compiled again.
namespace gks::hipcpu {

struct PartOptions {
    BlockOptions blocks = {};
    std::filesystem::path cacheFolder = {}; // where compiled parts are looked for and kept; empty: nowhere
    std::filesystem::path irPath = {};      // where to leave the final LLVM IR of the only part as text; empty: nowhere
};
struct CompiledParts {
    std::vector<std::filesystem::path> objects;
    std::vector<bool> loops;    // of each part: whether its kernel has a block function
    double optimiseSeconds = 0; // of all processors together, as below
    double emitSeconds = 0;
};
// Into the folder, under names that begin with `stem`, on as many processors as there are.
Result<CompiledParts> compileParts(const std::vector<DevicePart>& parts, const std::filesystem::path& folder,
                                   const std::string& stem, const PartOptions& options);

} // namespace gks::hipcpu
