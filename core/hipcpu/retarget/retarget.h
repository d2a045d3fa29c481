// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/hipcpu/architecture.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gks::hipcpu {

struct RetargetOptions {
    std::filesystem::path deviceLibrary; // hipcpu_device.bc
    std::string compilationUnitId;       // as given to clang's -cuid for both sides
    int optimisationLevel = 3;
    Architecture architecture = Architecture::gfx942; // that the code was written for
    bool tellsAccesses = false;                       // for checks at run time; see accesses.h
    // Threads side by side in strips, which may be vectorised. Code that tells its accesses and runs once is compiled
    // in a fraction of the time without.
    bool inStrips = true;
    std::vector<std::filesystem::path> systemFolders = {}; // of headers that are not the person's
    std::filesystem::path cacheFolder = {};                // for compiled kernels; empty: none are kept
    std::filesystem::path irPath = {};                     // where to leave the final LLVM IR as text; empty: nowhere
};

struct PaddingSummary { // bytes of an argument that none of its fields owns
    std::uint32_t offset = 0;
    std::uint32_t sizeBytes = 0;
};

struct ArgumentSummary {
    std::uint32_t sizeBytes = 0;
    std::vector<PaddingSummary> padding;
};

// What is known about a kernel after retargeting.
struct KernelSummary {
    std::string name; // mangled
    std::string readableName;
    std::vector<ArgumentSummary> arguments;
    std::uint32_t maxThreadsPerBlock = 0;
    std::uint32_t staticLdsBytes = 0;
    std::uint32_t ldsLimitBytes = 0; // of a block
    bool usesDynamicLds = false;
    bool loops = false; // runs as a loop over threads, without fibres
};

// A variable of device code that the host can name.
struct VariableSummary {
    std::string name; // mangled
    std::uint64_t sizeBytes = 0;
    bool isConstant = false; // __constant__
};

struct RetargetOutcome {
    std::vector<KernelSummary> kernels;
    std::vector<VariableSummary> variables;
    std::vector<std::string> loweredNames; // "0 _Z1kPf", of what hipRTC asks for (core/hipcpu/lowered_names.h)
    std::vector<std::filesystem::path> objects;
    double prepareSeconds = 0;  // flattening, linking, inlining, layout
    double optimiseSeconds = 0; // of all processors together
    double emitSeconds = 0;
};

// Turns gfx942 device bitcode (unoptimised, as of clang-19 with -disable-llvm-passes) into object files for this
// machine that follow abi.h, in the folder under names that begin with `stem`. Kernel errors name file and line; every
// problem of the kernel is in one message, a line each.
Result<RetargetOutcome> retarget(const std::filesystem::path& deviceBitcode, const std::filesystem::path& folder,
                                 const std::string& stem, const RetargetOptions& options);

} // namespace gks::hipcpu
