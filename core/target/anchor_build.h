// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/problem/anchor_spec.h"
#include "core/target/target.h"

namespace gks {

// Where the linker and the loader find the libraries of an anchor. An error says which of them is not there, and where
// it was looked for.
struct AnchorLibraries {
    std::vector<std::filesystem::path> files; // one for each of the anchor's names
    std::vector<std::filesystem::path> folders() const;
};
Result<AnchorLibraries> findAnchorLibraries(const AnchorSpec& anchor);
// The same, in these folders.
Result<AnchorLibraries> findAnchorLibraries(const AnchorSpec& anchor,
                                            const std::vector<std::filesystem::path>& folders);
std::vector<std::filesystem::path> anchorLibraryFolders(TargetKind target);

// How an anchor becomes a shared library that links its libraries: one step of the target's compiler.
struct AnchorBuild {
    BuildStep step;
    std::filesystem::path output;
    std::string toolchain;                       // "CUDA 13.0.88"
    std::string key;                             // of all that goes into it but the libraries, which are not in it
    std::vector<std::filesystem::path> readable; // by whoever loads it
};
// `request` has the anchor's source and the pack's header; both are written into its folder.
Result<AnchorBuild> planAnchorBuild(const BuildRequest& request, const AnchorSpec& anchor);

} // namespace gks
