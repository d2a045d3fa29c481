// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/problem/problem.h"
#include "core/target/diagnostics.h"
#include "core/target/machine_code.h"
#include "core/target/target.h"

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

// A source through the compiler of its static report, with line tables. For people who look or type: nothing of it goes
// into a verdict, and nothing is run but the compiler and the tools that read what it makes, inside the wall.
namespace gks {

struct ListingRequest {
    const ProblemPack* problem = nullptr;
    std::string source;
    std::string architecture = "gfx942"; // "sm_90": code of an NVIDIA device, by nvcc
    std::vector<std::string> compilerOptions = {};
    bool allowNoSandbox = false;
    std::chrono::seconds timeLimit{60}; // of each tool: nobody waits longer for what he only looks at
};
struct SourceListing {
    std::vector<Diagnostic> diagnostics;
    std::string failure; // what the compiler's end was where it made nothing
    std::string toolchain;
    std::optional<StaticReport> report; // of AMD's code, with it
    std::optional<MachineCode> code;
};

// An error is one of this machine (no compiler, and then what to install; no sandbox) or of a stop; a source that does
// not compile is a listing with a failure.
Result<SourceListing> listSource(const ListingRequest& request, const std::stop_token& stop = {});

// The same error, with what to install for a listing in the place of where to look it up.
Error withInstallAdvice(Error error, const std::vector<ToolchainFinding>& findings);

} // namespace gks
