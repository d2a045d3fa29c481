// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/harness_kernel.h"

#include "core/base/foreign_text.h"
#include "core/base/text.h"
#include "core/judge/evaluator/session/runner_policy.h"

#include <chrono>
#include <csignal>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::size_t harnessOutputBytes = std::size_t{4} << 20;
constexpr std::size_t harnessFileBytes = std::size_t{4} << 30;
constexpr std::size_t harnessOpenFiles = 4096;
constexpr std::size_t shownOutputCharacters = 300;
constexpr int wrongStatus = 1;
constexpr int signalStatus = 128;

std::string firstLine(std::string_view output) {
    for (const std::string_view line : lines(output)) {
        if (!trimmed(line).empty()) {
            return abbreviated(sanitizedUtf8(std::string(trimmed(line))), shownOutputCharacters);
        }
    }
    return {};
}

tl::unexpected<Refusal> harnessFailed(const CompletedProcess& run, const char* what) {
    const std::string said = firstLine(run.error.empty() ? run.output : run.error);
    return refuse(
        VerdictKind::infrastructureFailed,
        fmt::format("{} of {} ended with {}{}{}", what, harnessLabel, run.exit.text(), said.empty() ? "" : ": ", said),
        "Status 0 is right and 1 is wrong; everything else is a fault of the harness");
}

} // namespace

std::string saidByHarness(const std::string& text) {
    return fmt::format("{}; {}", text, judgedByHarness());
}

Judged<HarnessKernel> HarnessKernel::place(const HarnessPlace& where, const std::string& source) {
    auto scratch = TemporaryDirectory::create("gks-harness");
    if (!scratch) {
        return refuse(scratch.error());
    }
    const auto written = writeFileAtomically(scratch->path() / where.harness.source, source);
    return written ? Judged<HarnessKernel>(HarnessKernel(where, std::move(*scratch)))
                   : Judged<HarnessKernel>(refuse(written.error()));
}

SandboxPolicy HarnessKernel::policy() const {
    const Harness& harness = m_where->harness;
    const std::filesystem::path& scratch = m_scratch.path();
    SandboxPolicy policy;
    if (m_where->device.target == TargetKind::cpu) {
        policy.limits.addressSpaceBytes = harness.memoryBytes; // a driver of a card maps more than there is
    } else {
        RunnerSession::Setup setup;
        setup.device = m_where->device;
        policy = runnerPolicy(setup, scratch);
        // A harness may well have its code translated when it is loaded.
        std::erase_if(policy.environment, [](const auto& one) { return one.first == "CUDA_DISABLE_PTX_JIT"; });
    }
    policy.readable.push_back(harness.folder);
    policy.readable.insert(policy.readable.end(), harness.readable.begin(), harness.readable.end());
    policy.writable = {scratch};
    policy.temporary = scratch;
    policy.limits.fileSizeBytes = harnessFileBytes;
    policy.limits.openFiles = harnessOpenFiles;
    policy.mayStartProcesses = true;
    policy.allowNone = m_where->allowNoSandbox;
    policy.environment.emplace_back("HOME", scratch.string());
    policy.environment.emplace_back("GKS_PACK", harness.folder.string());
    policy.environment.emplace_back("GKS_KERNEL", (scratch / harness.source).string());
    return policy;
}

Judged<CompletedProcess> HarnessKernel::command(const std::vector<std::string>& words, const char* what) {
    Command inside;
    inside.arguments = harnessWords(words, m_where->harness, m_scratch.path());
    inside.folder = m_scratch.path();
    if (std::string& program = inside.arguments.front(); program.find('/') != std::string::npos) {
        program = (m_scratch.path() / program).string(); // "./run" is what was built there
    }
    m_where->tell({"process", fmt::format("{} of {} ({})", what, harnessLabel, name(m_where->level))});
    auto wall = sandboxed(std::move(inside), policy(), m_where->level);
    if (!wall) {
        return refuse(wall.error());
    }
    RunOptions options;
    options.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(m_where->harness.seconds * 1000));
    options.outputLimitBytes = harnessOutputBytes;
    options.stop = m_where->stop;
    auto run = runProcess(*wall, options);
    if (!run) {
        return refuse(run.error());
    }
    for (const std::string* text : {&run->output, &run->error}) {
        if (!text->empty()) {
            m_where->tell({"runner", sanitizedUtf8(*text)});
        }
    }
    if (run->cancelled) {
        return refuse(VerdictKind::infrastructureFailed, cancelledReason);
    }
    if (wallFailed(run->exit, m_where->level)) {
        return refuse(VerdictKind::infrastructureFailed, "the sandbox could not be started",
                      "Run kernel-scientist-cli doctor");
    }
    run->exit = programExit(run->exit, m_where->level);
    return std::move(*run);
}

Judged<void> HarnessKernel::build(BuildFacts& facts) {
    if (m_where->harness.build.empty()) {
        return {};
    }
    GKS_TRY_ASSIGN(const CompletedProcess run, command(m_where->harness.build, "build"));
    facts.toolchain = harnessLabel;
    facts.log = sanitizedUtf8(abbreviated(run.error + run.output, harnessOutputBytes / 64));
    if (run.ok()) {
        return {};
    }
    const std::string why = run.timedOut ? overTime() : run.exit.text();
    return refuse(VerdictKind::buildFailed, saidByHarness(fmt::format("build-failed: {}", why)));
}

Judged<void> HarnessKernel::verify(VerificationFact& fact) {
    GKS_TRY_ASSIGN(const CompletedProcess run, command(m_where->harness.verify, "verify"));
    fact.phase = harnessLabel;
    fact.passed = run.ok();
    fact.detail = run.ok() ? std::string() : firstLine(run.output);
    GKS_TRY(ended(run, "verify"));
    if (run.exit.status == wrongStatus) {
        return refuse(VerdictKind::wrong, saidByHarness(fact.detail.empty() ? "wrong" : "wrong: " + fact.detail));
    }
    return run.ok() ? Judged<void>() : Judged<void>(harnessFailed(run, "verify"));
}

Judged<std::vector<double>> HarnessKernel::measure() {
    GKS_TRY_ASSIGN(const CompletedProcess run, command(m_where->harness.measure, "measure"));
    GKS_TRY(ended(run, "measure"));
    if (!run.ok()) {
        return harnessFailed(run, "measure");
    }
    auto times = harnessTimes(run.output, m_where->harness.times);
    if (!times || run.outputTruncated) {
        return refuse(VerdictKind::infrastructureFailed,
                      fmt::format("what measure prints {}", times ? "is too long" : times.error().what),
                      "Print a time in microseconds on each line, or with times = \"json\" {\"us\": [...]}");
    }
    return std::move(*times);
}

// By a signal or after too long: the kernel runs in there.
Judged<void> HarnessKernel::ended(const CompletedProcess& run, const char* what) const {
    if (run.timedOut) {
        return refuse(VerdictKind::timedOut, saidByHarness(fmt::format("timed-out: {} {}", what, overTime())));
    }
    if (run.exit.signal == SIGKILL) {
        return refuse(VerdictKind::infrastructureFailed, saidByHarness(fmt::format("{} was killed from outside", what)),
                      "Look at what ends processes here: lack of memory, a batch system, a person");
    }
    // A shell says of what a signal ended: 128 and its number.
    if (run.exit.signal || run.exit.status > signalStatus) {
        return refuse(VerdictKind::crashed, saidByHarness(fmt::format("crashed: {} ended, {}", what, run.exit.text())));
    }
    return {};
}

std::string HarnessKernel::overTime() const {
    return fmt::format("took longer than {:g} s", m_where->harness.seconds);
}

} // namespace gks
