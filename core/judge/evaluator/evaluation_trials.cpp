// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/evaluation_run.h"

#include "core/base/text.h"
#include "core/judge/evaluator/trial/cache_flush.h"
#include "core/judge/evaluator/trial/frozen_trial.h"
#include "core/judge/evaluator/trial/measurement.h"
#include "core/judge/evaluator/trial/runner_trial.h"
#include "core/judge/evaluator/trial/verification.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <thread>

namespace gks {
namespace {

constexpr std::size_t printedByKernelLimitBytes = std::size_t{64} << 10;
constexpr std::size_t mostVerifying = 4; // processes; the inputs of a case may take half a gigabyte in each

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

} // namespace

// Recorded plans are for the shapes that were drawn then. Else what was prepared for this evaluation serves it.
Judged<void> EvaluationRun::planCases() {
    const PreparedCases::Kind kind = {m_request.target, m_target.fp8Encoding(), m_request.shapes};
    if (m_next && !m_request.recorded && m_next->serves(*m_pack, kind)) {
        m_cases = std::move(m_next);
        return {};
    }
    m_next.reset();
    const auto seed = m_request.recorded ? shapeSeedFromText(m_request.shapeSeed)
                                         : Result<std::optional<Seed>>(std::optional(randomSeed()));
    if (!seed) {
        return refuse(seed.error());
    }
    auto cases = PreparedCases::plan(*m_pack, kind, *seed);
    if (!cases) {
        return refuse(cases.error());
    }
    m_cases = std::move(*cases);
    return {};
}

// What no call has had serves the next one: most sources that fail are not even built.
void EvaluationRun::planNext() {
    if (!m_cases || isCpu() || m_request.recorded || m_request.screen) {
        return;
    }
    if (!m_images) {
        m_next = std::move(m_cases);
    } else {
        m_next = PreparedCases::plan(m_cases->pack(), m_cases->kind(), randomSeed()).value_or(nullptr);
    }
}

Judged<void> EvaluationRun::startRunners() {
    GKS_TRY(planCases());
    m_verdict.shapeSeed = m_cases->seed() ? hexText(*m_cases->seed()) : std::string();
    m_verdict.notRun = m_cases->plan().notRun;
    if (isCpu()) {
        return {}; // its processes start in no time
    }
    if (const auto started = m_runners.expect(runnerSetup(), runnersOfKernels()); !started) {
        return refuse(started.error());
    }
    return {};
}

RunnerSession::Setup EvaluationRun::runnerSetup() const {
    RunnerSession::Setup setup;
    setup.device = m_device;
    setup.segmentBytes = m_cases->plan().segmentBytes;
    setup.inputBytes = m_cases->plan().inputBytes;
    setup.sandbox = m_sandbox;
    setup.allowNoSandbox = m_request.allowNoSandbox;
    setup.flushBytes = m_request.flushBytes.value_or(flushBytesFor(m_request.target));
    return setup;
}

std::vector<const CaseLayout*> EvaluationRun::layoutsOf(bool ofBaseline) const {
    std::vector<const CaseLayout*> layouts;
    for (const auto* cases : {&m_cases->plan().cases, &m_cases->plan().reversed}) {
        if (!ofBaseline) {
            std::transform(cases->begin(), cases->end(), std::back_inserter(layouts),
                           [](const VerificationCase& one) { return &one.layout; });
        }
    }
    std::transform(m_cases->plan().measured.begin(), m_cases->plan().measured.end(), std::back_inserter(layouts),
                   [](const CaseLayout& layout) { return &layout; });
    return layouts;
}

KernelPlanner::Setup EvaluationRun::plannerSetup() const {
    KernelPlanner::Setup setup;
    setup.target = m_target;
    if (!isCpu() && !m_device.architecture.empty()) {
        setup.device = answersOf(m_device);
    }
    setup.sandbox = m_sandbox;
    setup.allowNoSandbox = m_request.allowNoSandbox;
    setup.timeLimit = std::chrono::duration<double>(m_request.timeoutSeconds);
    setup.stop = m_stop;
    return setup;
}

Judged<void> EvaluationRun::planKernel(const KernelBuild& build, bool ofBaseline) {
    const std::vector<const CaseLayout*> layouts = layoutsOf(ofBaseline);
    tellProcess(fmt::format("planner ({}): host code of the {}; no device, tensor or clock is there", wall(),
                            ofBaseline ? "baseline" : "kernel"));
    if (m_request.recorded) {
        return takeRecorded(build, layouts, ofBaseline);
    }
    Plans& plans = plansOf(ofBaseline);
    GKS_TRY_ASSIGN(plans.asked, PlannedKernel::plan(*m_pack, build.plan(), layouts, plannerSetup()));
    plans.executed = plans.asked;
    return {};
}

// A record says which plans were executed; what the source asks for, which is in the verdict, says whether they are its
// own. Who compares the two may then rely on the times.
Judged<void> EvaluationRun::takeRecorded(const KernelBuild& build, const std::vector<const CaseLayout*>& layouts,
                                         bool ofBaseline) {
    const auto& recorded = *m_request.recorded;
    if (ofBaseline && !recorded.baseline) {
        return refuse(VerdictKind::infrastructureFailed, "there are no recorded plans of the baseline");
    }
    Plans& plans = plansOf(ofBaseline);
    GKS_TRY_ASSIGN(plans.asked, askAgain(build, layouts, ofBaseline));
    tellProcess("recorded plans are executed; what host code asked for now is compared with them");
    GKS_TRY_ASSIGN(plans.executed, PlannedKernel::fromRecord(*m_pack, build.plan(), layouts, plannerSetup(),
                                                             ofBaseline ? *recorded.baseline : recorded.kernel));
    return {};
}

// Without plans of the source nothing can be said of those of the record, and so neither of the kernel.
Judged<std::shared_ptr<const PlannedKernel>>
EvaluationRun::askAgain(const KernelBuild& build, const std::vector<const CaseLayout*>& layouts, bool ofBaseline) {
    auto asked = PlannedKernel::plan(*m_pack, build.plan(), layouts, plannerSetup());
    if (!asked) {
        Refusal& refusal = asked.error();
        refusal.kind = refusal.ifAtFault = VerdictKind::infrastructureFailed;
        refusal.reason = fmt::format("no launch plan can be made again from the source of the {}: {}",
                                     ofBaseline ? "baseline" : "kernel", refusal.reason);
    }
    return asked;
}

std::shared_ptr<const RecordedPlans> EvaluationRun::recordPlans() const {
    if (!m_kernelPlans.asked || m_request.screen) {
        return nullptr;
    }
    auto plans = std::make_shared<RecordedPlans>();
    plans->kernel = m_kernelPlans.asked->record(*m_pack, m_cases->plan().measured);
    const std::size_t used = makeCompact(plans->kernel, recordedPlansLimitBytes);
    if (m_baselinePlans.asked) {
        plans->baseline = m_baselinePlans.asked->record(*m_pack, m_cases->plan().measured);
        makeCompact(*plans->baseline, recordedPlansLimitBytes - used);
    }
    return plans;
}

std::unique_ptr<KernelTrial> EvaluationRun::startFrozen(std::shared_ptr<const PlannedKernel> kernel,
                                                        bool reversedOrder) {
    FrozenTrial::Setup setup;
    setup.sandbox = m_sandbox;
    setup.allowNoSandbox = m_request.allowNoSandbox;
    setup.reversedOrder = reversedOrder;
    setup.flushBytes = m_request.flushBytes.value_or(flushBytesFor(m_request.target));
    setup.timeLimit = std::chrono::duration<double>(m_request.timeoutSeconds);
    setup.stop = m_stop;
    return std::make_unique<FrozenTrial>(std::move(kernel), std::move(setup), *m_images, *m_pack, *m_clock);
}

Judged<std::unique_ptr<KernelTrial>> EvaluationRun::start(bool ofBaseline, bool reversedOrder) {
    if (isOfAnchor() && !ofBaseline) {
        return startAnchor();
    }
    const char* const whose = ofBaseline ? "baseline" : "kernel";
    tellProcess(
        isCpu() ? fmt::format("cpu runner ({}): device code of the {} alone; stands still between calls", wall(), whose)
                : fmt::format("runner ({}): owns the device; device code and plans of the {} as data", wall(), whose));
    const std::shared_ptr<const PlannedKernel>& kernel = plansOf(ofBaseline).executed;
    if (isCpu()) {
        return startFrozen(kernel, reversedOrder);
    }
    auto session = m_runners.take(runnerSetup());
    if (!session) {
        return refuse(session.error());
    }
    RunnerTrial::Setup setup;
    setup.timeLimit = std::chrono::duration<double>(m_request.timeoutSeconds);
    setup.stop = m_stop;
    return std::make_unique<RunnerTrial>(std::move(*session), kernel, std::move(setup), *m_images, *m_pack, *m_clock);
}

// On the cpu target several processes at a time, as nothing is timed: a call keeps one processor busy.
Judged<void> EvaluationRun::verify() {
    m_images.emplace(*m_pack, m_target.fp8Encoding());
    GKS_TRY_ASSIGN(m_trial, start(false));
    Verification::Trials trials;
    trials.forward.push_back(m_trial.get());
    std::vector<std::unique_ptr<KernelTrial>> others; // started together: one waits while the other works
    const std::size_t atATime =
        isCpu() ? std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, mostVerifying) : 1;
    while (trials.forward.size() < std::min(atATime, m_cases->plan().cases.size())) {
        GKS_TRY_ASSIGN(others.emplace_back(), start(false));
        trials.forward.push_back(others.back().get());
    }
    if (!m_cases->plan().reversed.empty()) {
        GKS_TRY_ASSIGN(others.emplace_back(), start(false, true));
        trials.reversed = others.back().get();
    }
    GKS_TRY(m_trial->load());
    noteVersion(*m_trial);
    for (const auto& trial : others) { // by this thread: what it starts ends with it
        GKS_TRY(trial->load());
    }
    Verification::Tell telling = {
        [this](double share, const VerificationCase& one) {
            tell(ProgressEvent{share, fmt::format("{}, {}", m_pack->shapeLabel(one.layout.shape), one.phase)});
        },
        [this](const VerificationCase& one, const std::string& looked) {
            tell(LogEvent{"races", fmt::format("{}: {}", m_pack->shapeLabel(one.layout.shape), looked)});
        }};
    if (m_request.checked) { // what is judged may not print
        telling.printed = [this](const std::string& text) {
            m_verdict.printed = abbreviated(text, printedByKernelLimitBytes);
        };
    }
    Verification verification(*m_pack, m_cases->check(), m_cases->stock(), m_verdict, misses());
    const auto done = verification.run(m_cases->plan(), trials, telling);
    for (const auto& trial : others) {
        if (trial.get() == verification.failedIn()) {
            tellRunnerLog(*trial);
        }
        m_runners.giveBack(trial->release());
    }
    return done;
}

Judged<EvaluationRun::Measured> EvaluationRun::measure() {
    Measurement::Plan plan;
    for (const CaseLayout& layout : m_cases->plan().measured) {
        plan.shapes.push_back(&layout);
    }
    plan.seconds = m_request.measureSeconds;
    plan.hasBaseline = m_request.baseline.has_value();
    plan.device = m_device;
    plan.clock = m_clock;
    plan.tieMarginPercent = m_request.tieMarginPercent;
    plan.misses = misses();
    Measurement::Trials trials;
    trials.start = [&](bool ofBaseline) { return start(ofBaseline); };
    trials.end = [&](std::unique_ptr<KernelTrial> trial) {
        if (trial) {
            m_runners.giveBack(trial->release());
        }
    };
    trials.draw = [&](std::size_t shape) { return m_cases->stock().measured(shape); };
    trials.unannounced = [&](std::size_t shape) { return m_cases->stock().unannounced(shape); };
    m_cases->stock().stop();
    Measurement measurement(*m_pack, m_cases->check(), plan, std::move(trials), m_sink);
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

} // namespace gks
