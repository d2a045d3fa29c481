// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/remote/slurm.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::chrono::seconds slurmPatience(60);
constexpr std::size_t fieldsOfJob = 4;

RunOptions slurmOptions(const std::stop_token& stop) {
    RunOptions options;
    options.timeout = slurmPatience;
    options.stop = stop;
    return options;
}

} // namespace

std::string slurmComment(const std::string& owner, const std::string& lane) {
    return fmt::format("kernel-scientist {} {}", owner, lane);
}

std::string slurmScript(const SlurmSpec& spec, const std::string& comment, const std::string& program) {
    std::string script = "exec srun --quiet --unbuffered --ntasks=1 --kill-on-bad-exit=1 --job-name=kernel-scientist";
    script += " --comment=" + shellQuoted(comment);
    if (!spec.partition.empty()) {
        script += " --partition=" + shellQuoted(spec.partition);
    }
    if (!spec.account.empty()) {
        script += " --account=" + shellQuoted(spec.account);
    }
    if (!spec.time.empty()) {
        script += " --time=" + shellQuoted(spec.time);
    }
    if (spec.takesGpu) {
        script += " --gres=gpu:1";
    }
    return script + " " + program;
}

Result<std::vector<SlurmJob>> slurmJobs(const RemoteShell& shell, const std::string& comment,
                                        const std::stop_token& stop) {
    GKS_TRY_ASSIGN(const std::string said,
                   shell.output("squeue --me --noheader --format='%A|%T|%R|%k'", slurmOptions(stop)));
    std::vector<SlurmJob> jobs;
    for (const std::string_view line : lines(said)) {
        const std::vector<std::string> fields = split(std::string(line), '|');
        if (fields.size() == fieldsOfJob && trimmed(fields[3]) == comment) {
            jobs.push_back({fields[0], fields[1], fields[2], fields[3]});
        }
    }
    return jobs;
}

Result<std::size_t> endSlurmJobs(const RemoteShell& shell, const std::string& comment, const std::stop_token& stop) {
    GKS_TRY_ASSIGN(const std::vector<SlurmJob> jobs, slurmJobs(shell, comment, stop));
    std::string script = "scancel";
    for (const SlurmJob& job : jobs) {
        const bool isNumber = !job.number.empty() && job.number.find_first_not_of("0123456789") == std::string::npos;
        if (isNumber) {
            script += " " + job.number;
        }
    }
    if (!jobs.empty()) {
        GKS_TRY(shell.output(script, slurmOptions(stop)));
    }
    return jobs.size();
}

} // namespace gks
