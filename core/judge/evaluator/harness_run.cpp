// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/harness_run.h"

#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/judge/confine/sandbox.h"
#include "core/judge/device_record.h"
#include "core/judge/evaluator/refusal.h"
#include "core/judge/evaluator/session/environment.h"
#include "core/judge/evaluator/session/runner_policy.h"
#include "core/judge/evaluator/session/transcript_writer.h"
#include "core/judge/evaluator/statistics/statistics.h"
#include "core/problem/harness.h"
#include "core/target/device_lock.h"

#include <chrono>
#include <csignal>
#include <fmt/format.h>

namespace gks {
namespace {

namespace fs = std::filesystem;

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

class HarnessRun {
public:
    HarnessRun(const EvaluationRequest& request, const EvaluationSink& sink, const std::stop_token& stop)
        : m_request(request), m_given(sink), m_stop(stop) {
        m_verdict.conditions = {std::string(name(request.shapes)), request.measureSeconds, request.timeoutSeconds,
                                request.flushBytes, request.compilerOptions};
        m_verdict.environment = describeEnvironment();
        m_verdict.environment[judgeFact] = harnessLabel;
        m_verdict.target = name(request.target);
        m_verdict.problem = request.problem;
        m_verdict.kernelSha256 = sha256Hex(request.source);
    }

    Verdict run() {
        const auto begin = std::chrono::steady_clock::now();
        if (const auto done = allStages(); !done) {
            m_verdict.kind = m_stop.stop_requested() ? VerdictKind::infrastructureFailed : done.error().kind;
            m_verdict.reason = m_stop.stop_requested() ? cancelledReason : done.error().reason;
            m_verdict.next = m_stop.stop_requested() ? std::string() : done.error().next;
        }
        m_verdict.totalSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        m_verdict.environment["load_after"] = loadAverage();
        m_verdict.transcript = m_transcript.lines();
        return m_verdict;
    }

private:
    template<class Event>
    void tell(Event event) {
        const EvaluationEvent whole(std::move(event));
        m_transcript.add(whole);
        if (m_given) {
            m_given(whole);
        }
    }

    Judged<void> allStages() {
        GKS_TRY(prepare());
        tell(StageEvent{Stage::building});
        GKS_TRY(build());
        GKS_TRY(lockDevice());
        tell(StageEvent{Stage::verifying});
        GKS_TRY(verify());
        tell(StageEvent{Stage::measuring});
        return measure();
    }

    // What only our own judge does.
    Judged<void> prepare() {
        const char* const asked = m_request.baseline              ? "a comparison"
                                  : !m_request.anchor.empty()     ? "a library"
                                  : m_request.recorded != nullptr ? "a record"
                                  : m_request.counters            ? "hardware counters"
                                  : m_request.staticOnly || m_request.buildOnly || m_request.screen ? "a static report"
                                                                                                    : nullptr;
        if (asked != nullptr || !m_request.compilerOptions.empty() || m_request.flushBytes) {
            return refuse(VerdictKind::infrastructureFailed,
                          fmt::format("a command pack is judged by {}, which is asked for a kernel alone, not for {}",
                                      harnessLabel, asked == nullptr ? "options" : asked),
                          "Put it into the commands of harness.toml");
        }
        auto harness = loadHarness(m_request.problem);
        if (!harness) {
            return refuse(harness.error());
        }
        m_harness = std::move(*harness);
        m_verdict.problem = m_harness.name;
        const SandboxFinding& sandbox = availableSandbox();
        if (sandbox.level == SandboxLevel::none && !m_request.allowNoSandbox) {
            return refuse(VerdictKind::infrastructureFailed, "no sandbox works on this machine: " + sandbox.reason,
                          "Install bubblewrap and allow user namespaces, or allow evaluation without a sandbox");
        }
        m_level = sandbox.level;
        m_verdict.sandbox =
            m_level == SandboxLevel::none ? "none (allowed by the user)" : std::string(name(sandbox.level));
        GKS_TRY(chooseDevice());
        auto scratch = TemporaryDirectory::create("gks-harness");
        if (!scratch) {
            return refuse(scratch.error());
        }
        m_scratch.emplace(std::move(*scratch));
        const auto written = writeFileAtomically(m_scratch->path() / m_harness.source, m_request.source);
        return written ? Judged<void>() : Judged<void>(refuse(written.error()));
    }

    Judged<void> chooseDevice() {
        const DeviceList list = listDevices(m_request.target);
        if (static_cast<std::size_t>(m_request.device) >= list.devices.size()) {
            return refuse(VerdictKind::infrastructureFailed,
                          list.devices.empty() ? list.reason : fmt::format("device {} not found", m_request.device),
                          "Run kernel-scientist-cli doctor");
        }
        m_device = list.devices[static_cast<std::size_t>(m_request.device)];
        recordDevice(m_device, m_verdict);
        return {};
    }

    SandboxPolicy policy() const {
        SandboxPolicy policy;
        if (m_request.target == TargetKind::cpu) {
            policy.limits.addressSpaceBytes = m_harness.memoryBytes; // a driver of a card maps more than there is
        } else {
            RunnerSession::Setup setup;
            setup.device = m_device;
            policy = runnerPolicy(setup, m_scratch->path());
            // A harness may well have its code translated when it is loaded.
            std::erase_if(policy.environment, [](const auto& one) { return one.first == "CUDA_DISABLE_PTX_JIT"; });
        }
        policy.readable.push_back(m_harness.folder);
        policy.readable.insert(policy.readable.end(), m_harness.readable.begin(), m_harness.readable.end());
        policy.writable = {m_scratch->path()};
        policy.temporary = m_scratch->path();
        policy.limits.fileSizeBytes = harnessFileBytes;
        policy.limits.openFiles = harnessOpenFiles;
        policy.mayStartProcesses = true;
        policy.allowNone = m_request.allowNoSandbox;
        policy.environment.emplace_back("HOME", m_scratch->path().string());
        policy.environment.emplace_back("GKS_PACK", m_harness.folder.string());
        policy.environment.emplace_back("GKS_KERNEL", (m_scratch->path() / m_harness.source).string());
        return policy;
    }

    Judged<CompletedProcess> command(const std::vector<std::string>& words, const char* what, double& seconds) {
        Command inside;
        inside.arguments = harnessWords(words, m_harness, m_scratch->path());
        inside.folder = m_scratch->path();
        tell(LogEvent{"process", fmt::format("{} of {} ({})", what, harnessLabel, m_verdict.sandbox)});
        auto wall = sandboxed(std::move(inside), policy(), m_level);
        if (!wall) {
            return refuse(wall.error());
        }
        RunOptions options;
        options.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(m_harness.seconds * 1000));
        options.outputLimitBytes = harnessOutputBytes;
        options.stop = m_stop;
        auto run = runProcess(*wall, options);
        if (!run) {
            return refuse(run.error());
        }
        seconds = run->seconds;
        for (const std::string* text : {&run->output, &run->error}) {
            if (!text->empty()) {
                tell(LogEvent{"runner", sanitizedUtf8(*text)});
            }
        }
        if (run->cancelled) {
            return refuse(VerdictKind::infrastructureFailed, cancelledReason);
        }
        if (wallFailed(run->exit, m_level)) {
            return refuse(VerdictKind::infrastructureFailed, "the sandbox could not be started",
                          "Run kernel-scientist-cli doctor");
        }
        run->exit = programExit(run->exit, m_level);
        return std::move(*run);
    }

    Judged<void> build() {
        if (m_harness.build.empty()) {
            return {};
        }
        GKS_TRY_ASSIGN(const CompletedProcess run, command(m_harness.build, "build", m_verdict.buildSeconds));
        m_verdict.build.toolchain = harnessLabel;
        m_verdict.build.log = sanitizedUtf8(abbreviated(run.error + run.output, harnessOutputBytes / 64));
        if (run.ok()) {
            return {};
        }
        const std::string why = run.timedOut ? overTime() : run.exit.text();
        return refuse(VerdictKind::buildFailed, judged(fmt::format("build-failed: {}", why)));
    }

    Judged<void> lockDevice() {
        DeviceLock::Waiting waiting;
        waiting.stop = m_stop;
        waiting.tell = [this](const std::string& text) { tell(ProgressEvent{0, text}); };
        auto lock = DeviceLock::take(m_device, waiting);
        if (!lock) {
            return refuse(lock.error());
        }
        m_lock.emplace(std::move(*lock));
        return {};
    }

    Judged<void> verify() {
        GKS_TRY_ASSIGN(const CompletedProcess run, command(m_harness.verify, "verify", m_verdict.verifySeconds));
        VerificationFact fact;
        fact.phase = harnessLabel;
        fact.passed = run.ok();
        fact.detail = run.ok() ? std::string() : firstLine(run.output);
        m_verdict.verification.push_back(fact);
        GKS_TRY(ended(run, "verify"));
        if (run.exit.status == wrongStatus) {
            return refuse(VerdictKind::wrong, judged(fact.detail.empty() ? "wrong" : "wrong: " + fact.detail));
        }
        return run.ok() ? Judged<void>() : Judged<void>(harnessFailed(run, "verify"));
    }

    Judged<void> measure() {
        GKS_TRY_ASSIGN(const CompletedProcess run, command(m_harness.measure, "measure", m_verdict.measureSeconds));
        GKS_TRY(ended(run, "measure"));
        if (!run.ok()) {
            return harnessFailed(run, "measure");
        }
        const auto times = harnessTimes(run.output, m_harness.times);
        if (!times || run.outputTruncated) {
            return refuse(VerdictKind::infrastructureFailed,
                          fmt::format("what measure prints {}", times ? "is too long" : times.error().what),
                          "Print a time in microseconds on each line, or with times = \"json\" {\"us\": [...]}");
        }
        const MedianEstimate estimate = estimateMedian(*times);
        MeasurementFact fact;
        fact.medianUs = estimate.median;
        fact.ci95Us = estimate.ci95;
        fact.samples = static_cast<int>(times->size());
        fact.clock = harnessLabel;
        fact.sampleUs = *times;
        m_verdict.measurements.push_back(std::move(fact));
        m_verdict.geomeanUs = estimate.median;
        m_verdict.geomeanCi95Us = estimate.ci95;
        m_verdict.kind = VerdictKind::correct;
        m_verdict.reason = judged(fmt::format("correct, {} ({} repetitions)",
                                              formatMicroseconds(estimate.median, estimate.ci95), times->size()));
        return {};
    }

    // By a signal or after too long: the kernel runs in there.
    Judged<void> ended(const CompletedProcess& run, const char* what) const {
        if (run.timedOut) {
            return refuse(VerdictKind::timedOut, judged(fmt::format("timed-out: {} {}", what, overTime())));
        }
        if (run.exit.signal == SIGKILL) {
            return refuse(VerdictKind::infrastructureFailed, judged(fmt::format("{} was killed from outside", what)),
                          "Look at what ends processes here: lack of memory, a batch system, a person");
        }
        // A shell says of what a signal ended: 128 and its number.
        if (run.exit.signal || run.exit.status > signalStatus) {
            return refuse(VerdictKind::crashed, judged(fmt::format("crashed: {} ended, {}", what, run.exit.text())));
        }
        return {};
    }

    tl::unexpected<Refusal> harnessFailed(const CompletedProcess& run, const char* what) const {
        const std::string said = firstLine(run.error.empty() ? run.output : run.error);
        return refuse(VerdictKind::infrastructureFailed,
                      fmt::format("{} of {} ended with {}{}{}", what, harnessLabel, run.exit.text(),
                                  said.empty() ? "" : ": ", said),
                      "Status 0 is right and 1 is wrong; everything else is a fault of the harness");
    }

    std::string overTime() const { return fmt::format("took longer than {:g} s", m_harness.seconds); }
    // Every sentence that could be taken for ours says whose it is.
    static std::string judged(const std::string& text) { return fmt::format("{}; judged by {}", text, harnessLabel); }

    const EvaluationRequest& m_request;
    const EvaluationSink& m_given;
    std::stop_token m_stop;
    TranscriptWriter m_transcript;
    Verdict m_verdict;
    Harness m_harness;
    SandboxLevel m_level = SandboxLevel::none;
    Device m_device;
    std::optional<TemporaryDirectory> m_scratch;
    std::optional<DeviceLock> m_lock;
};

} // namespace

Verdict evaluateByHarness(const EvaluationRequest& request, const EvaluationSink& sink, const std::stop_token& stop) {
    return HarnessRun(request, sink, stop).run();
}

} // namespace gks
