// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/confine/sandbox.h"
#include "core/judge/evaluator/refusal.h"
#include "core/problem/problem.h"
#include "core/target/target.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace gks {

// An anchor as a shared library, compiled in the sandbox from the file that the pack has, once for each content. No
// text of a request goes into it. Nothing is loaded here.
struct AnchorLibrary {
    std::filesystem::path file;
    std::vector<std::filesystem::path> readable; // what its loader needs beside it
    std::string sourceSha256;
    BuildFacts facts;

    struct Options {
        SandboxLevel sandbox = SandboxLevel::bubblewrap;
        bool allowNoSandbox = false;
        std::stop_token stop = {};
    };
    static Judged<AnchorLibrary> build(const ProblemPack& pack, const AnchorSpec& anchor, const Target& target,
                                       const Options& options);
};

// The anchor of this name for this target; refused where the pack has none.
Judged<AnchorSpec> anchorOf(const ProblemPack& pack, const std::string& name, TargetKind target);

} // namespace gks
