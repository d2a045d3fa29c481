// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/judge/confine/sandbox.h"
#include "core/judge/counters.h"
#include "core/target/target.h"

#include <filesystem>
#include <string>
#include <vector>

// The vendor's profiler, which starts a runner and looks into it: ncu of a CUDA toolkit, rocprofv3 of a ROCm.
namespace gks {

struct Profiler {
    TargetKind target = TargetKind::nvidia;
    std::filesystem::path program;
    std::string tool; // "ncu 2025.3.1.0"
};
// An error says what is missing and what to do. A profiler starts processes that talk to each other: bubblewrap gives
// them a network of their own, Landlock cannot.
Result<Profiler> findProfiler(TargetKind target, SandboxLevel sandbox);

// One run of a runner under the profiler.
struct ProfiledRun {
    std::vector<std::string> command; // that the runner's command line is put behind
    std::filesystem::path folder;     // where it writes; its working folder
    std::vector<std::filesystem::path> readable;
    bool operator==(const ProfiledRun&) const = default;
};
ProfiledRun profiledRun(const Profiler& profiler, const std::vector<std::string>& counters,
                        const std::filesystem::path& folder);
// What it wrote there, in the order of the launches.
Result<std::vector<RawCounters>> profiledLaunches(const Profiler& profiler, const std::filesystem::path& folder);

} // namespace gks
