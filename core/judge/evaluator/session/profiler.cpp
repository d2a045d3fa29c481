// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/session/profiler.h"

#include "core/base/files.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/target/toolchain.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t tableLimitBytes = std::size_t{64} << 20;
constexpr const char* ncuReport = "counters.csv";
constexpr const char* rocprofReport = "counters";
constexpr std::chrono::seconds versionTimeout(20);

// "Version 2025.3.1.0 (build ...)" of ncu, "version: 1.1.0" of rocprofv3.
std::string versionOf(const fs::path& program) {
    Command command;
    command.arguments = {program.string(), "--version"};
    RunOptions options;
    options.timeout = versionTimeout;
    const auto done = runProcess(command, options);
    if (!done) {
        return {};
    }
    for (const char* before : {"Version ", "version: "}) {
        const std::string value = valueAfter(done->output, before);
        if (!value.empty()) {
            return abbreviated(value.substr(0, value.find(' ')), 40);
        }
    }
    return {};
}

} // namespace

Result<Profiler> findProfiler(TargetKind target, SandboxLevel sandbox) {
    const auto found = profilerProgram(target);
    if (!found) {
        return target == TargetKind::nvidia
                   ? infrastructureError("ncu (Nsight Compute) was not found", "counters",
                                         "Install it beside the CUDA toolkit, or add it to PATH")
                   : infrastructureError("rocprofv3 was not found", "counters",
                                         "Install rocprofiler-sdk beside ROCm, or add it to PATH");
    }
    const fs::path& program = *found;
    if (sandbox == SandboxLevel::landlock) {
        return infrastructureError(program.filename().string() +
                                       " needs processes and sockets of its own, which Landlock cannot wall in",
                                   "counters", "Install bubblewrap");
    }
    std::error_code ignored;
    const fs::path real = fs::canonical(program, ignored);
    return Profiler{target, real.empty() ? program : real,
                    std::string(trimmed(program.filename().string() + " " + versionOf(program)))};
}

ProfiledRun profiledRun(const Profiler& profiler, const std::vector<std::string>& counters, const fs::path& folder) {
    ProfiledRun run;
    run.folder = folder;
    run.readable = {profiler.program.parent_path().parent_path()};
    if (profiler.target == TargetKind::nvidia) {
        // The clock stays as it is when the judge measures, and caches are emptied between passes as they are there.
        run.command = {profiler.program.string(),
                       "--target-processes",
                       "all",
                       "--clock-control",
                       "none",
                       "--csv",
                       "--page",
                       "raw",
                       "--print-units",
                       "base",
                       "--log-file",
                       (folder / ncuReport).string(),
                       "--metrics",
                       join(counters, ",")};
        return run;
    }
    run.command = {profiler.program.string(), "--pmc"};
    run.command.insert(run.command.end(), counters.begin(), counters.end());
    run.command.insert(run.command.end(), {"--output-format", "csv", "-d", folder.string(), "-o", rocprofReport, "--"});
    return run;
}

Result<std::vector<RawCounters>> profiledLaunches(const Profiler& profiler, const fs::path& folder) {
    const fs::path file =
        folder / (profiler.target == TargetKind::nvidia ? std::string(ncuReport)
                                                        : std::string(rocprofReport) + "_counter_collection.csv");
    const auto text = readFile(file, tableLimitBytes);
    if (!text) {
        return infrastructureError(profiler.tool + " wrote no counters", "counters");
    }
    return profiler.target == TargetKind::nvidia ? ncuTable(*text) : rocprofTable(*text);
}

} // namespace gks
