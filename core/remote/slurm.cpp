// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/remote/slurm.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::chrono::seconds slurmPatience(60);
constexpr std::size_t fieldsOfJob = 4;

// A batch job has no standard streams to speak of: it holds the device, and the evaluator is a step of it. The job ends
// with the shell that asked for it, and by itself when nobody has had a step in it for a minute: that shell was killed.
constexpr const char* holdingScript = R"(unused=0
while [ "$unused" -lt 4 ]; do
  sleep 15
  case $(squeue --steps --noheader --format=%i --jobs="$SLURM_JOB_ID") in
    *.[0-9]*) unused=0 ;;
    *) unused=$((unused + 1)) ;;
  esac
done)";
// Until the job runs; not longer than the one who waits lives. A controller that restarts does not answer for a while.
constexpr const char* waitingScript = R"(number=${number%%;*}
trap 'scancel "$number"' EXIT
trap 'exit 1' HUP INT TERM
rest=1
silent=0
while :; do
  case $(squeue --noheader --format=%T --jobs="$number" 2>/dev/null </dev/null) in
    RUNNING) break ;;
    PENDING | CONFIGURING) silent=0 ;;
    '') silent=$((silent + 1)) ;;
    *) silent=99 ;;
  esac
  if [ "$silent" -gt 6 ]; then
    echo "job $number ended before it ran" >&2
    exit 1
  fi
  kill -0 "$PPID" 2>/dev/null || exit 1
  sleep "$rest"
  [ "$rest" -ge 16 ] || rest=$((rest * 2))
done
)";

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
    const std::string device = spec.takesGpu ? " --gres=gpu:1" : "";
    std::string wishes = " --job-name=kernel-scientist --comment=" + shellQuoted(comment) + device;
    if (!spec.partition.empty()) {
        wishes += " --partition=" + shellQuoted(spec.partition);
    }
    if (!spec.account.empty()) {
        wishes += " --account=" + shellQuoted(spec.account);
    }
    if (!spec.time.empty()) {
        wishes += " --time=" + shellQuoted(spec.time);
    }
    const std::string step = "srun --quiet --unbuffered --ntasks=1 --kill-on-bad-exit=1";
    if (!spec.isBatch) {
        return fmt::format("exec {}{} {}", step, wishes, program);
    }
    const std::string submitted = fmt::format(
        "number=$(sbatch --parsable --ntasks=1 --output=/dev/null --error=/dev/null{} --wrap {} </dev/null)", wishes,
        shellQuoted(holdingScript));
    return fmt::format("{} || exit\n{}{} --overlap --jobid=\"$number\"{} {}\n", submitted, waitingScript, step, device,
                       program);
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
