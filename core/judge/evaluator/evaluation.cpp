// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/evaluation.h"

#include "core/base/hash.h"
#include "core/judge/attempts.h"
#include "core/judge/device_record.h"
#include "core/judge/evaluator/build/kernel_build.h"
#include "core/judge/evaluator/build/module_check.h"
#include "core/judge/evaluator/build/precision.h"
#include "core/judge/evaluator/session/environment.h"
#include "core/judge/evaluator/session/gpu_layout.h"
#include "core/judge/evaluator/session/transcript_writer.h"
#include "core/judge/evaluator/statistics/conclusion.h"
#include "core/judge/evaluator/trial/cache_flush.h"
#include "core/judge/evaluator/trial/evaluation_plan.h"
#include "core/judge/evaluator/trial/frozen_trial.h"
#include "core/judge/evaluator/trial/measurement.h"
#include "core/judge/evaluator/trial/runner_trial.h"
#include "core/judge/evaluator/trial/verification.h"
#include "core/target/device_lock.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <mutex>
#include <set>

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

// What a card says of itself goes before what is known of its kind.
DeviceAnswers answersOf(const Device& device) {
    DeviceAnswers answers = answersOf(Target{device.target, device.architecture});
    answers.name = device.name;
    answers.driverVersion = device.driverVersion > 0 ? device.driverVersion : answers.driverVersion;
    if (device.facts.computeUnits > 0) {
        answers.computeUnits = static_cast<std::uint32_t>(device.facts.computeUnits);
    }
    if (device.facts.memoryBytes > 0) {
        answers.memoryBytes = static_cast<std::uint64_t>(device.facts.memoryBytes);
    }
    for (const auto& [number, value] : device.attributes) {
        answers.attributes[number] = value;
    }
    return answers;
}

// The state of one evaluation, in the order in which it comes about.
class Evaluation {
public:
    Evaluation(const EvaluationRequest& request, RunnerPool& runners, std::shared_ptr<const Reference>& reference,
               const EvaluationSink& sink, const std::stop_token& stop)
        : m_request(request)
        , m_runners(runners)
        , m_reference(reference)
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

    Attempt attempt() {
        Verdict verdict = run();
        return {std::move(verdict), m_killed, m_sandbox != SandboxLevel::none};
    }

private:
    Verdict run() {
        const auto begin = Clock::now();
        if (const auto done = allStages(); !done) {
            m_killed = done.error().isKilled ? std::optional(done.error()) : std::nullopt;
            m_verdict.kind = m_stop.stop_requested() ? VerdictKind::infrastructureFailed : done.error().kind;
            m_verdict.reason = m_stop.stop_requested() ? "cancelled" : done.error().reason;
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
        m_verdict.totalSeconds = secondsSince(begin);
        m_verdict.compilerSeconds = m_clock->seconds(WorkClock::Worker::compiler);
        m_verdict.kernelSeconds = m_clock->seconds(WorkClock::Worker::kernel);
        m_verdict.preparationSeconds = m_clock->seconds(WorkClock::Worker::preparation);
        m_verdict.overheadSeconds = std::max(0.0, m_verdict.totalSeconds - m_clock->secondsOfAny());
        m_verdict.environment["load_after"] = loadAverage();
        m_verdict.transcript = m_transcript.lines();
        return m_verdict;
    }

    Judged<void> allStages() {
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
        return {};
    }

    bool runsNothing() const { return m_request.staticOnly || m_request.buildOnly; }

    template<class Event>
    void tell(Event event) const {
        m_sink(EvaluationEvent(std::move(event)));
    }

    // Once for each: where code of others runs, and behind which wall.
    void tellProcess(const std::string& what) {
        if (m_told.insert(what).second) {
            tell(LogEvent{"process", what});
        }
    }
    std::string wall() const {
        return m_sandbox == SandboxLevel::none ? "no sandbox, allowed by the user"
                                               : m_verdict.sandbox + ", system call filter, limits";
    }

    void tellRunnerLog(const KernelTrial& trial) const {
        if (std::string log = trial.log(); !log.empty()) {
            tell(LogEvent{"runner", std::move(log)});
        }
    }

    Judged<void> prepare() {
        auto pack = loadProblemPack(m_request.problem);
        if (!pack) {
            return refuse(pack.error());
        }
        m_pack.emplace(std::move(*pack));
        m_verdict.problem = m_pack->name;
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

    Judged<void> chooseDevice() {
        m_target = commonTarget(m_request.target);
        if (runsNothing()) {
            return {};
        }
        const DeviceList& list = knownDevices(m_request.target);
        if (static_cast<std::size_t>(m_request.device) >= list.devices.size()) {
            return tl::unexpected(
                Refusal{VerdictKind::infrastructureFailed,
                        list.devices.empty() ? list.reason : fmt::format("there is no device {}", m_request.device),
                        "See kernel-scientist-cli doctor", DeviceTrouble::lost});
        }
        m_device = list.devices[static_cast<std::size_t>(m_request.device)];
        m_target.architecture = m_device.architecture.empty() ? m_target.architecture : m_device.architecture;
        m_device.architecture = m_target.architecture;
        recordDevice(m_device, m_verdict);
        m_verdict.environment["runtime"] = std::filesystem::path(m_device.runtime).filename().string();
        return {};
    }

    Judged<void> build() {
        KernelBuild::Options options;
        options.target = m_target;
        options.sandbox = m_sandbox;
        options.allowNoSandbox = m_request.allowNoSandbox;
        options.module = !m_request.staticOnly;
        options.halves = true;
        options.clock = m_clock;
        options.compilerOptions = m_request.compilerOptions;
        GKS_TRY_ASSIGN(m_build, KernelBuild::start(*m_pack, m_request.source, options, m_sink, m_stop));
        tellProcess(m_build->facts().cached ? "no compiler: the build is from the cache"
                                            : fmt::format("compilers ({}): source and headers", wall()));
        if (runsNothing()) {
            GKS_TRY(m_build->waitForModule());
            GKS_TRY(m_request.staticOnly ? Judged<void>() : inspectModule());
            return finishBuild();
        }
        if (m_request.baseline) {
            options.staticReport = false;
            GKS_TRY_ASSIGN(m_baselineBuild, KernelBuild::start(*m_pack, *m_request.baseline, options, {}, m_stop));
        }
        GKS_TRY(startRunners()); // they and the reference get ready while the compilers run
        auto reference = Reference::load(*m_pack, {m_sandbox, m_request.allowNoSandbox}, m_reference);
        if (!reference) {
            return refuse(reference.error());
        }
        m_reference = *reference;
        tellProcess(fmt::format("oracle ({}): the reference of the problem", wall()));
        m_onStop.emplace(m_stop, [asked = m_reference] { asked->interrupt(); });
        m_check.emplace(*m_pack, m_reference, m_target.fp8Encoding());
        m_stock.emplace(*m_pack, *m_check, m_plan, m_target.fp8Encoding());
        GKS_TRY(m_build->waitForModule());
        GKS_TRY(inspectModule());
        return planKernel(*m_build, false);
    }

    // Its host code runs where nothing is within its reach.
    Judged<void> inspectModule() const { return checkHostModule(m_build->plan().hostModule); }

    // Nothing of a build may still run while times are taken.
    Judged<void> finishBuild() {
        GKS_TRY_ASSIGN(m_verdict.staticReport, m_build->waitForReport());
        if (m_verdict.staticReport) {
            tell(StaticEvent{*m_verdict.staticReport});
            for (std::string& finding : precisionFindings(*m_verdict.staticReport, *m_pack)) {
                m_verdict.warnings.push_back(std::move(finding));
            }
        } else if (const std::string why = m_build->whyNoReport(); !why.empty()) {
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
        if (!ready && ready.error().isKilled) {
            ready.error().ifAtFault = VerdictKind::infrastructureFailed;
            return ready;
        }
        if (!ready) {
            return refuse(VerdictKind::infrastructureFailed, "the baseline cannot be built: " + ready.error().reason,
                          "Compare with a kernel that passes its own evaluation");
        }
        return {};
    }

    // From the first call to the last: verification on a card is in the times of whoever measures on it.
    Judged<void> lockDevice() {
        DeviceLock::Waiting waiting;
        waiting.stop = m_stop;
        waiting.tell = [this](const std::string& text) { tell(ProgressEvent{0, text}); };
        auto lock = DeviceLock::take(m_device, waiting);
        if (!lock) {
            return refuse(lock.error());
        }
        m_deviceLock.emplace(std::move(*lock));
        return {};
    }

    Judged<void> startRunners() {
        // Recorded plans are for the shapes that follow from pack, target and choice: with a record no shape may be
        // added that one evaluation alone has.
        const std::optional<Seed> secret = m_request.recorded ? std::nullopt : std::optional(randomSeed());
        auto plan = planEvaluation(*m_pack, m_request.target, m_request.shapes, secret);
        if (!plan) {
            return refuse(plan.error());
        }
        m_plan = std::move(*plan);
        m_verdict.notRun = m_plan.notRun;
        if (isCpu()) {
            return {}; // its processes start in no time
        }
        if (const auto started = m_runners.expect(runnerSetup(), m_request.baseline ? 2 : 1); !started) {
            return refuse(started.error());
        }
        return {};
    }

    RunnerSession::Setup runnerSetup() const {
        RunnerSession::Setup setup;
        setup.device = m_device;
        setup.segmentBytes = m_plan.segmentBytes;
        setup.inputBytes = m_plan.inputBytes;
        setup.sandbox = m_sandbox;
        setup.allowNoSandbox = m_request.allowNoSandbox;
        setup.flushBytes = m_request.flushBytes.value_or(flushBytesFor(m_request.target));
        return setup;
    }

    bool isCpu() const { return m_request.target == TargetKind::cpu; }

    // The baseline is timed and no more.
    std::vector<const CaseLayout*> layoutsOf(bool ofBaseline) const {
        std::vector<const CaseLayout*> layouts;
        for (const auto* cases : {&m_plan.cases, &m_plan.reversed}) {
            if (!ofBaseline) {
                std::transform(cases->begin(), cases->end(), std::back_inserter(layouts),
                               [](const VerificationCase& one) { return &one.layout; });
            }
        }
        std::transform(m_plan.measured.begin(), m_plan.measured.end(), std::back_inserter(layouts),
                       [](const CaseLayout& layout) { return &layout; });
        return layouts;
    }

    // What the kernel's host code asks for, on every shape; none of it runs where anything is verified or timed.
    Judged<void> planKernel(const KernelBuild& build, bool ofBaseline) {
        const std::vector<const CaseLayout*> layouts = layoutsOf(ofBaseline);
        if (m_request.recorded) {
            return takeRecorded(build, layouts, ofBaseline);
        }
        tellProcess(fmt::format("planner ({}): host code of the {}; no device, tensor or clock is there", wall(),
                                ofBaseline ? "baseline" : "kernel"));
        KernelPlanner::Setup setup;
        setup.target = m_target;
        setup.sandbox = m_sandbox;
        setup.allowNoSandbox = m_request.allowNoSandbox;
        setup.timeLimit = std::chrono::duration<double>(m_request.timeoutSeconds);
        setup.stop = m_stop;
        if (isCpu()) {
            GKS_TRY_ASSIGN((ofBaseline ? m_plannedBaseline : m_plannedKernel),
                           PlannedKernel::plan(*m_pack, build.plan(), layouts, setup));
            return {};
        }
        setup.device = answersOf(m_device);
        GpuPlannedKernel::Sets sets;
        sets.workspaceLimitBytes = gpuWorkspaceBytes;
        sets.reserveBytes = gpuReservedBytes();
        sets.place = [this](const CaseLayout& layout, std::size_t, std::uint64_t workspaceBytes) {
            return gpuAddressesOf(*m_pack, layout, workspaceBytes);
        };
        GKS_TRY_ASSIGN((ofBaseline ? m_gpuBaseline : m_gpuKernel),
                       GpuPlannedKernel::plan(*m_pack, build.plan(), layouts, sets, setup));
        return {};
    }

    Judged<void> takeRecorded(const KernelBuild& build, const std::vector<const CaseLayout*>& layouts,
                              bool ofBaseline) {
        const auto& plans = *m_request.recorded;
        if (!isCpu()) {
            return refuse(VerdictKind::infrastructureFailed, "recorded plans are executed on the cpu target alone");
        }
        if (ofBaseline && !plans.baseline) {
            return refuse(VerdictKind::infrastructureFailed, "there are no recorded plans of the baseline");
        }
        tellProcess("no planner: recorded plans are executed, no host code of a kernel runs");
        GKS_TRY_ASSIGN(
            (ofBaseline ? m_plannedBaseline : m_plannedKernel),
            PlannedKernel::fromRecord(*m_pack, build.plan(), layouts, ofBaseline ? *plans.baseline : plans.kernel));
        return {};
    }

    std::shared_ptr<const RecordedPlans> recordPlans() const {
        if (!m_plannedKernel) {
            return nullptr;
        }
        auto plans = std::make_shared<RecordedPlans>();
        plans->kernel = m_plannedKernel->record(*m_pack, m_plan.measured);
        const std::size_t used = makeCompact(plans->kernel, recordedPlansLimitBytes);
        if (m_plannedBaseline) {
            plans->baseline = m_plannedBaseline->record(*m_pack, m_plan.measured);
            makeCompact(*plans->baseline, recordedPlansLimitBytes - used);
        }
        return plans;
    }

    std::unique_ptr<KernelTrial> startFrozen(std::shared_ptr<const PlannedKernel> kernel, bool reversedOrder) {
        FrozenTrial::Setup setup;
        setup.sandbox = m_sandbox;
        setup.allowNoSandbox = m_request.allowNoSandbox;
        setup.reversedOrder = reversedOrder;
        setup.flushBytes = m_request.flushBytes.value_or(flushBytesFor(m_request.target));
        setup.timeLimit = std::chrono::duration<double>(m_request.timeoutSeconds);
        setup.stop = m_stop;
        return std::make_unique<FrozenTrial>(std::move(kernel), std::move(setup), *m_images, *m_pack, *m_clock);
    }

    Judged<std::unique_ptr<KernelTrial>> start(bool ofBaseline, bool reversedOrder = false) {
        const char* const whose = ofBaseline ? "baseline" : "kernel";
        tellProcess(
            isCpu()
                ? fmt::format("cpu runner ({}): device code of the {} alone; stands still between calls", wall(), whose)
                : fmt::format("runner ({}): owns the device; device code and plans of the {} as data", wall(), whose));
        if (isCpu()) {
            return startFrozen(ofBaseline ? m_plannedBaseline : m_plannedKernel, reversedOrder);
        }
        auto session = m_runners.take(runnerSetup());
        if (!session) {
            return refuse(session.error());
        }
        RunnerTrial::Setup setup;
        setup.timeLimit = std::chrono::duration<double>(m_request.timeoutSeconds);
        setup.stop = m_stop;
        return std::make_unique<RunnerTrial>(std::move(*session), ofBaseline ? m_gpuBaseline : m_gpuKernel,
                                             std::move(setup), *m_images, *m_pack, *m_clock);
    }

    Judged<void> verify() {
        m_images.emplace(*m_pack, m_target.fp8Encoding());
        GKS_TRY_ASSIGN(m_trial, start(false));
        std::unique_ptr<KernelTrial> reversed; // started together: one waits while the other works
        if (!m_plan.reversed.empty()) {
            GKS_TRY_ASSIGN(reversed, start(false, true));
        }
        GKS_TRY(verifyCases(*m_trial, m_plan.cases, 0));
        if (reversed) {
            const auto done = verifyCases(*reversed, m_plan.reversed, m_plan.cases.size());
            if (!done) {
                tellRunnerLog(*reversed);
            }
            m_runners.giveBack(reversed->release());
            return done;
        }
        return {};
    }

    Judged<void> verifyCases(KernelTrial& trial, const std::vector<VerificationCase>& cases, std::size_t before) {
        Verification verification(*m_pack, *m_check, *m_stock, m_verdict);
        GKS_TRY(trial.load());
        const double total = static_cast<double>(m_plan.cases.size() + m_plan.reversed.size());
        for (std::size_t i = 0; i < cases.size(); ++i) {
            tell(ProgressEvent{static_cast<double>(before + i) / total,
                               fmt::format("{}, {}", m_pack->shapeLabel(cases[i].layout.shape), cases[i].phase)});
            GKS_TRY(verification.run(trial, cases[i]));
        }
        return {};
    }

    struct Measured {
        std::optional<RatioEstimate> ratio;
        double errorShare = 1;
    };
    Judged<Measured> measure() {
        Measurement::Plan plan;
        for (const CaseLayout& layout : m_plan.measured) {
            plan.shapes.push_back(&layout);
        }
        plan.seconds = m_request.measureSeconds;
        plan.hasBaseline = m_request.baseline.has_value();
        plan.device = m_device;
        plan.clock = m_clock;
        plan.tieMarginPercent = m_request.tieMarginPercent;
        Measurement::Trials trials;
        trials.start = [&](bool ofBaseline) { return start(ofBaseline); };
        trials.end = [&](std::unique_ptr<KernelTrial> trial) {
            if (trial) {
                m_runners.giveBack(trial->release());
            }
        };
        trials.draw = [&](std::size_t shape) { return m_stock->measured(shape); };
        trials.unannounced = [&](std::size_t shape) { return m_stock->unannounced(shape); };
        m_stock->stop();
        Measurement measurement(*m_pack, *m_check, plan, std::move(trials), m_sink);
        const auto done = measurement.run(std::move(m_trial));
        const std::vector<VerificationFact> checks = measurement.timedChecks();
        m_verdict.verification.insert(m_verdict.verification.end(), checks.begin(), checks.end());
        GKS_TRY(done);
        m_verdict.measurements = measurement.facts();
        m_verdict.callCost = measurement.callCost();
        const MedianEstimate geomean = measurement.geometricMean();
        m_verdict.geomeanUs = geomean.median;
        m_verdict.geomeanCi95Us = geomean.ci95;
        return Measured{measurement.ratio(), measurement.errorShare()};
    }

    const EvaluationRequest& m_request;
    RunnerPool& m_runners;
    std::shared_ptr<const Reference>& m_reference;
    TranscriptWriter m_transcript;
    EvaluationSink m_sink; // writes the transcript on the way
    std::stop_token m_stop;
    std::shared_ptr<WorkClock> m_clock = std::make_shared<WorkClock>();
    Verdict m_verdict;
    std::set<std::string> m_told;
    std::optional<Refusal> m_killed;
    std::optional<ProblemPack> m_pack;
    Target m_target;
    Device m_device;
    std::optional<DeviceLock> m_deviceLock; // goes after the trials below
    SandboxLevel m_sandbox = SandboxLevel::none;
    std::unique_ptr<KernelBuild> m_build;
    std::unique_ptr<KernelBuild> m_baselineBuild;
    std::shared_ptr<const PlannedKernel> m_plannedKernel; // cpu target, as the next
    std::shared_ptr<const PlannedKernel> m_plannedBaseline;
    std::shared_ptr<const GpuPlannedKernel> m_gpuKernel; // the other targets, as the next
    std::shared_ptr<const GpuPlannedKernel> m_gpuBaseline;
    EvaluationPlan m_plan;
    std::optional<std::stop_callback<std::function<void()>>> m_onStop;
    std::optional<CaseImages> m_images;
    std::optional<OutputCheck> m_check;
    std::optional<CaseStock> m_stock; // goes before what it uses
    std::unique_ptr<KernelTrial> m_trial;
};

} // namespace

Verdict evaluate(const EvaluationRequest& request, RunnerPool& runners, std::shared_ptr<const Reference>& reference,
                 const EvaluationSink& sink, const std::stop_token& stop) {
    return inAttempts([&] { return Evaluation(request, runners, reference, sink, stop).attempt(); }, sink, stop);
}

} // namespace gks
