// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/hipcpu/options/compiler_options.h"
#include "core/hipcpu/retarget/retarget.h"
#include "core/hipcpu/retarget/toolchain.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gks::hipcpu {

enum class OutputKind {
    sharedObject, // linked against libhipcpu.so
    program,      // linked against libhipcpu.so, which it finds by rpath
    object,       // of one source, to be linked to one of the others later
};

struct BuildOptions {
    std::vector<std::filesystem::path> sources;
    std::filesystem::path output; // empty: the modules in splitFolder and nothing else
    OutputKind kind = OutputKind::sharedObject;
    std::vector<std::filesystem::path> objects = {}; // made with OutputKind::object, or archives
    CompilerOptions compiler = {};
    // Of a shared object of one source: where to leave its host code and its device code, each as a module by itself
    // (see linker.h).
    std::optional<std::filesystem::path> splitFolder = {};
    bool isChecked = false;                 // device code tells its accesses, and the runtime checks them
    std::filesystem::path cacheFolder = {}; // of precompiled headers and compiled kernels; empty: none
    std::filesystem::path irPath = {};      // final IR of the (last) source as text
    std::chrono::milliseconds timeout = std::chrono::minutes(5); // of each front end
    std::stop_token stop = {};

    int optimisationLevel() const { return compiler.optimisationLevel.value_or(3); }
    // Of several that a build line names the first.
    Architecture architecture() const {
        return compiler.architectures.empty() ? Architecture::gfx942 : compiler.architectures.front();
    }
};

// Seconds spent; the two front ends run at the same time, so the stages do not add up to the total.
struct BuildSeconds {
    double headers = 0; // making precompiled headers, 0 when they were there
    double device = 0;
    double host = 0;
    double prepare = 0;
    double optimise = 0;
    double emit = 0;
    double link = 0;
    double total = 0;
};

struct BuildOutcome {
    std::string diagnostics; // warnings of the compiler, bounded
    std::vector<KernelSummary> kernels;
    std::vector<VariableSummary> variables;
    std::vector<std::string> loweredNames; // see RetargetOutcome
    BuildSeconds seconds;
    std::string toolchain; // Toolchain::identity()
};

// Compiles HIP sources for the CPU: front ends for host and device side by side, retargeting in this process, link.
// ErrorKind::kernel with the compiler's diagnostics when the source is at fault, ErrorKind::infrastructure when a tool
// is missing.
Result<BuildOutcome> buildModule(const BuildOptions& options);

} // namespace gks::hipcpu
