// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/evaluation.h"

#include "core/base/hash.h"
#include "core/judge/device_record.h"
#include "core/judge/evaluator/build/precision.h"
#include "core/judge/evaluator/evaluation_run.h"
#include "core/judge/evaluator/harness_run.h"
#include "core/judge/evaluator/session/device_turn.h"
#include "core/judge/evaluator/session/environment.h"
#include "core/judge/evaluator/statistics/conclusion.h"
#include "core/judge/probe.h"
#include "core/problem/harness.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <map>
#include <mutex>

namespace gks {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Asking a vendor's library takes as long as a whole evaluation with a cached build, and devices do not come and go;
// where there was none it is asked again.
const DeviceList& knownDevices(TargetKind kind) {
    static std::mutex mutex;
    static std::map<TargetKind, DeviceList> lists;
    const std::scoped_lock lock(mutex);
    DeviceList& list = lists[kind];
    if (list.devices.empty()) {
        list = listDevices(kind);
    }
    return list;
}

} // namespace

EvaluationRun::EvaluationRun(const EvaluationRequest& request, RunnerPool& runners,
                             std::shared_ptr<const Reference>& reference, std::unique_ptr<PreparedCases>& next,
                             const EvaluationSink& sink, const std::stop_token& stop)
    : m_request(request)
    , m_runners(runners)
    , m_reference(reference)
    , m_next(next)
    , m_sink([this, &sink](const EvaluationEvent& event) {
        m_transcript.add(event);
        if (sink) {
            sink(event);
        }
    })
    , m_stop(stop) {
    m_verdict.conditions = {std::string(name(request.shapes)), request.measureSeconds, request.timeoutSeconds,
                            request.flushBytes, request.compilerOptions};
    m_verdict.environment = describeEnvironment();
    m_verdict.target = name(request.target);
    m_verdict.problem = request.problem;
    m_verdict.kernelSha256 = sha256Hex(request.source);
}

Verdict EvaluationRun::run() {
    const auto begin = Clock::now();
    if (const auto done = allStages(); !done) {
        m_interrupted = done.error().mayGoWell() ? std::optional(done.error()) : std::nullopt;
        m_verdict.kind = m_stop.stop_requested() ? VerdictKind::infrastructureFailed : done.error().kind;
        m_verdict.reason = m_stop.stop_requested() ? cancelledReason : done.error().reason;
        m_verdict.next = m_stop.stop_requested() ? "" : done.error().next;
        m_verdict.deviceTrouble = m_stop.stop_requested() ? DeviceTrouble::none : done.error().device;
    }
    if (m_trial) {
        tellRunnerLog(*m_trial);
        m_runners.giveBack(m_trial->release());
        m_trial.reset();
    }
    if (m_build) {
        m_verdict.build = m_build->facts();
    }
    m_verdict.plans = recordPlans();
    planNext();
    m_verdict.totalSeconds = secondsSince(begin);
    m_verdict.compilerSeconds = m_clock->seconds(WorkClock::Worker::compiler);
    m_verdict.kernelSeconds = m_clock->seconds(WorkClock::Worker::kernel);
    m_verdict.preparationSeconds = m_clock->seconds(WorkClock::Worker::preparation);
    m_verdict.overheadSeconds = std::max(0.0, m_verdict.totalSeconds - m_clock->secondsOfAny());
    m_verdict.environment["load_after"] = loadAverage();
    m_verdict.transcript = m_transcript.lines();
    return m_verdict;
}

Judged<void> EvaluationRun::allStages() {
    tell(StageEvent{Stage::building});
    GKS_TRY(prepare());
    const auto buildBegin = Clock::now();
    const auto built = build();
    m_verdict.buildSeconds = secondsSince(buildBegin);
    GKS_TRY(built);
    if (runsNothing()) {
        m_verdict.kind = VerdictKind::correct;
        m_verdict.reason = m_request.staticOnly ? "static report only: nothing was run" : "built: nothing was run";
        return {};
    }
    if (m_request.screen) {
        return finishScreening();
    }
    GKS_TRY(lockDevice());
    tell(StageEvent{Stage::verifying});
    const auto verifyBegin = Clock::now();
    const auto verified = verify();
    m_verdict.verifySeconds = secondsSince(verifyBegin);
    GKS_TRY(verified);
    const auto reportBegin = Clock::now();
    GKS_TRY(finishBuild());
    m_verdict.buildSeconds += secondsSince(reportBegin);
    tell(StageEvent{Stage::measuring});
    const auto measureBegin = Clock::now();
    const auto measured = measure();
    m_verdict.measureSeconds = secondsSince(measureBegin);
    GKS_TRY(measured);
    conclude(m_verdict, m_request, measured->ratio, measured->errorShare);
    concludeAnchor();
    count();
    return {};
}

Judged<void> EvaluationRun::prepare() {
    auto pack = loadProblemPack(m_request.problem);
    if (!pack) {
        return refuse(pack.error());
    }
    if (pack->name == probePackName && isBuiltin(*pack)) {
        if (const auto kept = keepVariants(*pack, m_request.source); !kept) {
            return refuse(VerdictKind::buildFailed, fmt::format("{}: {}", kept.error().where, kept.error().what),
                          kept.error().next);
        }
        if (m_request.baseline) {
            return refuse(VerdictKind::infrastructureFailed, "a probe is compared with nothing",
                          "Leave out the baseline");
        }
    }
    m_pack.emplace(std::move(*pack));
    m_verdict.problem = m_pack->name;
    GKS_TRY(chooseAnchor());
    GKS_TRY(chooseDevice());
    const SandboxFinding& sandbox = availableSandbox();
    if (sandbox.isKilled) {
        Refusal refusal = {VerdictKind::infrastructureFailed, sandbox.reason, "Evaluate the kernel again"};
        refusal.isKilled = true;
        return tl::unexpected(std::move(refusal));
    }
    if (sandbox.level == SandboxLevel::none && !m_request.allowNoSandbox) {
        return refuse(VerdictKind::infrastructureFailed, "no sandbox works on this machine: " + sandbox.reason,
                      "Install bubblewrap and allow user namespaces, or allow evaluation without a sandbox");
    }
    m_sandbox = sandbox.level;
    m_verdict.sandbox =
        sandbox.level == SandboxLevel::none ? "none (allowed by the user)" : std::string(name(sandbox.level));
    if (const auto prepared = prepareToolchain(m_target); !prepared) {
        return refuse(prepared.error());
    }
    tellProcess("evaluator, trusted: inputs, expected outputs, clock and verdict; no code of others runs in it");
    return {};
}

Judged<void> EvaluationRun::chooseDevice() {
    m_target = commonTarget(m_request.target);
    if (runsNothing()) {
        return {};
    }
    const DeviceList& list = knownDevices(m_request.target);
    if (m_request.screen && static_cast<std::size_t>(m_request.device) >= list.devices.size()) {
        return {}; // for the common card, where there is none
    }
    if (static_cast<std::size_t>(m_request.device) >= list.devices.size()) {
        return tl::unexpected(
            Refusal{VerdictKind::infrastructureFailed,
                    list.devices.empty() ? list.reason : fmt::format("device {} not found", m_request.device),
                    "Run kernel-scientist-cli doctor", DeviceTrouble::lost});
    }
    m_device = list.devices[static_cast<std::size_t>(m_request.device)];
    m_target.architecture = m_device.architecture.empty() ? m_target.architecture : m_device.architecture;
    m_device.architecture = m_target.architecture;
    recordDevice(m_device, m_verdict);
    m_verdict.environment["runtime"] = std::filesystem::path(m_device.runtime).filename().string();
    return {};
}

Judged<void> EvaluationRun::startBuilds() {
    KernelBuild::Options options;
    options.target = m_target;
    options.sandbox = m_sandbox;
    options.allowNoSandbox = m_request.allowNoSandbox;
    options.module = !m_request.staticOnly;
    options.clock = m_clock;
    options.compilerOptions = m_request.compilerOptions;
    if (isOfAnchor()) {
        GKS_TRY(buildAnchor());
    } else {
        GKS_TRY_ASSIGN(m_build, KernelBuild::start(*m_pack, m_request.source, options, m_sink, m_stop));
        tellProcess(m_build->facts().cached ? "no compiler: the build is from the cache"
                                            : fmt::format("compilers ({}): source and headers", wall()));
    }
    if (m_request.baseline && !runsNothing() && !m_request.screen) {
        options.staticReport = false;
        GKS_TRY_ASSIGN(m_baselineBuild, KernelBuild::start(*m_pack, *m_request.baseline, options, {}, m_stop));
    }
    return {};
}

Judged<void> EvaluationRun::build() {
    GKS_TRY(startBuilds());
    if (runsNothing()) {
        if (isOfAnchor()) {
            return {};
        }
        GKS_TRY(m_build->waitForModule());
        GKS_TRY(m_request.staticOnly ? Judged<void>() : inspectModule());
        return finishBuild();
    }
    if (m_request.screen) {
        return planScreened();
    }
    GKS_TRY(startRunners()); // they and the reference get ready while the compilers run
    GKS_TRY(loadReference());
    if (!m_cases->asks(*m_reference)) {
        m_cases->begin(m_reference);
    }
    if (isOfAnchor()) {
        return {};
    }
    GKS_TRY(m_build->waitForModule());
    GKS_TRY(inspectModule());
    return planKernel(*m_build, false);
}

Judged<void> EvaluationRun::loadReference() {
    auto reference = Reference::load(*m_pack, {m_sandbox, m_request.allowNoSandbox}, m_reference);
    if (!reference) {
        return refuse(reference.error());
    }
    m_reference = *reference;
    tellProcess(fmt::format("oracle ({}): the reference of the problem", wall()));
    m_onStop.emplace(m_stop, [asked = m_reference] { asked->interrupt(); });
    return {};
}

Judged<void> EvaluationRun::finishBuild() {
    if (m_build) {
        GKS_TRY_ASSIGN(m_verdict.staticReport, m_build->waitForReport());
    }
    if (m_verdict.staticReport) {
        tell(StaticEvent{*m_verdict.staticReport});
        for (std::string& finding : precisionFindings(*m_verdict.staticReport, *m_pack)) {
            m_verdict.warnings.push_back(std::move(finding));
        }
    } else if (const std::string why = m_build ? m_build->whyNoReport() : std::string(); !why.empty()) {
        m_verdict.warnings.push_back("no static report: " + why);
    }
    if (!m_baselineBuild) {
        return {};
    }
    auto ready = m_baselineBuild->waitForModule();
    if (ready) {
        ready = m_baselineBuild->waitForReport().map([](const auto&) {});
    }
    if (ready) {
        ready = planKernel(*m_baselineBuild, true);
    }
    if (!ready && ready.error().mayGoWell()) {
        ready.error().ifAtFault = VerdictKind::infrastructureFailed;
        return ready;
    }
    if (!ready) {
        return refuse(VerdictKind::infrastructureFailed,
                      "the comparison kernel does not build: " + ready.error().reason,
                      "Choose a kernel that passes evaluation");
    }
    return {};
}

Judged<void> EvaluationRun::lockDevice() {
    GKS_TRY_ASSIGN(m_deviceLock, takeDevice(m_device, m_sink, m_stop));
    return {};
}

Verdict evaluate(const EvaluationRequest& request, RunnerPool& runners, std::shared_ptr<const Reference>& reference,
                 std::unique_ptr<PreparedCases>& next, const EvaluationSink& sink, const std::stop_token& stop) {
    // A whole path: a name is that of a built-in problem, whatever folder we stand in.
    if (const std::filesystem::path folder = request.problem; folder.is_absolute() && isHarness(folder)) {
        return evaluateByHarness(request, sink, stop);
    }
    return inAttempts([&] { return EvaluationRun(request, runners, reference, next, sink, stop).attempt(); }, sink,
                      stop);
}

} // namespace gks
