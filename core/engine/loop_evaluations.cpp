// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/anchors.h"
#include "core/campaign/asked_comparison.h"
#include "core/campaign/campaign_pack.h"
#include "core/campaign/rules.h"
#include "core/engine/loop.h"
#include "core/engine/run_end.h"
#include "core/engine/seed_probes.h"
#include "core/engine/waiting.h"
#include "core/problem/probe_pack.h"

#include <fmt/format.h>

// What lanes are given, and what they bring back.
namespace gks {

namespace {

constexpr int lossLimit = 5;

} // namespace

void Loop::startEvaluations() {
    for (const std::size_t lane : m_lanes.free(m_run.population().settings)) {
        const PopulationPtr held = m_campaign.population(); // refresh() must not take the kernel away
        const LaneSpec& spec = m_lanes.spec(lane);
        const bool isHeldUp =
            spec.isHere() && m_benches.busy() > 0 && !m_screening.mayRunBeside(spec.target, m_lanes.busyHere() + 1);
        if (m_run.isRunning() && !isHeldUp && startAnchor(lane)) {
            continue;
        }
        if (!m_run.isRunning() || isHeldUp || evaluationsLeft(*held, evaluating()) <= 0) {
            return;
        }
        const Kernel* kernel = nextKernel(*held, m_screening.due());
        if ((kernel == nullptr || !goesBeforeComparisons(*held, *kernel)) && startAsked(lane)) {
            continue;
        }
        if (kernel == nullptr && startDuel(lane)) {
            continue;
        }
        if (kernel == nullptr) {
            return;
        }
        if (m_lanes.belongsElsewhere(kernel->id, lane, held->settings)) {
            continue;
        }
        if (!take(lane, *kernel)) {
            return;
        }
    }
}

// False when the campaign cannot be written.
bool Loop::take(std::size_t lane, const Kernel& kernel) {
    const PopulationPtr held = m_campaign.population(); // as in startEvaluations()
    if (!m_run.stored(m_run.store().setKernelState(kernel.id, KernelState::evaluating))) {
        return false;
    }
    const bool begun = evaluate(lane, kernel, baselineOf(*held, kernel), kernel.verdict ? "again" : "new kernel");
    if (!begun) {
        static_cast<void>(m_run.store().setKernelState(kernel.id, KernelState::waiting)); // the run is halted
    }
    m_run.refresh();
    return begun;
}

bool Loop::startAnchor(std::size_t lane) {
    const Population& population = m_run.population();
    auto anchor = m_anchors.next(population, m_lanes.spec(lane).target);
    if (!anchor) {
        return false;
    }
    auto baseline = population.kernel(*population.baseline)->source.read();
    if (!m_run.stored(baseline)) {
        return false;
    }
    Lanes::Job job = jobFor(lane, anchor->name, anchorPurpose);
    job.request.anchor = anchor->name;
    job.request.baseline = std::move(*baseline);
    job.evaluation.baseline = population.baseline;
    m_anchors.started(lane, std::move(*anchor));
    m_lanes.start(lane, std::move(job));
    return true;
}

// Once for a campaign: those that are there already stay as they are.
void Loop::openNotebook() {
    if (!wantsSeedProbes(m_run.population())) {
        return;
    }
    const auto probes = m_seams.problem(std::string(probePackName));
    if (!probes) {
        m_run.halt(probes.error(), "problem");
        return;
    }
    if (m_run.stored(addSeedProbes(m_run.store(), *probes))) {
        m_run.refresh();
    }
}

// A structure whose points are all measured is compared, tuned against tuned.
bool Loop::startDuel(std::size_t lane) {
    Structures& structures = m_run.structures();
    const auto duel = structures.dueDuel();
    if (!duel) {
        return false;
    }
    structures.setDuelled(duel->root->id, true);
    return evaluate(lane, *duel->fastest, duel->rival, tunedPurpose);
}

bool Loop::startAsked(std::size_t lane) {
    const auto asked = m_asked.next();
    if (!asked || !m_run.isRunning()) { // what could not be written has halted it
        return false;
    }
    const PopulationPtr held = m_campaign.population();
    m_asked.begun(*asked);
    return evaluate(lane, *held->kernel(asked->kernel), held->kernel(asked->other),
                    asked->allShapes ? askedOnAllPurpose : askedPurpose);
}

// No budget keeps a person's own from being judged: who asks by hand has seen what is spent. An agent's waits.
std::set<KernelId> Loop::askedWithinBudgets() const {
    std::set<KernelId> asked = m_run.notes.askedKernels;
    const Population& population = m_run.population();
    const RunTimes times = {m_campaign.wallSeconds(), m_evaluationSeconds};
    if (!m_run.notes.askedByAgents.empty() &&
        (evaluationsLeft(population, evaluating()) <= 0 || spentBudget(population, times))) {
        std::erase_if(asked, [&](KernelId id) { return m_run.notes.askedByAgents.contains(id); });
    }
    return asked;
}

bool Loop::startAskedKernel(std::size_t lane) {
    const PopulationPtr held = m_campaign.population(); // refresh() must not take the kernel away
    const Kernel* kernel = nextAskedKernel(*held, askedWithinBudgets());
    return kernel != nullptr && !m_lanes.belongsElsewhere(kernel->id, lane, held->settings) && take(lane, *kernel);
}

void Loop::startAsked() {
    for (const std::size_t lane : m_lanes.free(m_run.population().settings)) {
        if (!startAskedKernel(lane) && !startAsked(lane)) {
            return;
        }
    }
}

// A person who has written a kernel or looks at two of them does not start a campaign to see how fast they are: the
// lanes work for this alone, no scientist is asked, and then it stands as before. What waits in a file that is opened
// waits until somebody asks.
void Loop::measureAside() {
    RunNotes& notes = m_run.notes;
    const bool stands = m_run.state() == EngineState::idle || m_run.state() == EngineState::paused;
    const bool asked = std::exchange(notes.askedNow, false);
    if (asked && stands && m_options.measuresWhenAsked && m_trust.isPackTrusted(false)) {
        const EngineState before = m_run.state();
        m_run.enter(EngineState::running, "only what you asked for");
        notes.standing = before;
    }
    if (!notes.standing || !m_trust.isPackTrusted(false)) {
        return;
    }
    startAsked();
    if (notes.standing && nothingInFlight()) {
        m_run.enter(*notes.standing, asideText());
    }
}

std::string Loop::asideText() const {
    const RunNotes& notes = m_run.notes;
    const Population& population = m_run.population();
    for (const KernelId id : notes.askedKernels) {
        const Kernel* kernel = population.kernel(id);
        if (kernel != nullptr && kernel->state == KernelState::waiting) {
            return fmt::format("kernel {} {}", kernelLabel(id), waitText(*kernel, population));
        }
    }
    if (!population.settings.askedComparisons.empty()) {
        return "no lane is free to measure side by side";
    }
    return notes.askedJudged.empty()       ? "measured side by side"
           : notes.askedJudged.size() == 1 ? fmt::format("kernel {} evaluated", kernelLabel(*notes.askedJudged.begin()))
                                           : fmt::format("{} kernels evaluated", notes.askedJudged.size());
}

namespace {

// On the cpu target every choice means the same shapes, and what was measured on one is comparable with the others.
ShapeChoice shapesFor(std::string_view purpose, ShapeChoice ofCampaign, TargetKind target) {
    const bool isMore = purpose == askedOnAllPurpose && target != TargetKind::cpu && ofCampaign != ShapeChoice::all;
    return isMore ? ShapeChoice::benchmark : ofCampaign;
}

} // namespace

bool Loop::evaluate(std::size_t lane, const Kernel& kernel, const Kernel* baseline, std::string_view purpose) {
    const CampaignSettings& settings = m_run.population().settings;
    auto source = kernel.source.read();
    auto baselineSource = baseline != nullptr ? baseline->source.read() : Result<std::string>();
    if (!m_run.stored(source) || !m_run.stored(baselineSource)) {
        return false;
    }
    Lanes::Job job = jobFor(lane, kernelLabel(kernel.id), purpose);
    if (kernel.probe) {
        job.request.problem = probePackName;
    }
    job.request.source = std::move(*source);
    job.request.shapes = shapesFor(purpose, settings.shapes, job.request.target);
    job.request.counters = isCounted(kernel, settings) && !isAsked(purpose);
    job.evaluation.kernel = kernel.id;
    if (baseline != nullptr) {
        job.request.baseline = std::move(*baselineSource);
        job.evaluation.baseline = baseline->id;
    }
    job.looksFirst = kernel.author == Author::tuner && !settings.judgedByHarness &&
                     m_lanes.spec(lane).target == TargetKind::amd && !m_lanes.isAway(lane);
    m_lanes.start(lane, std::move(job));
    return true;
}

Lanes::Job Loop::jobFor(std::size_t lane, const std::string& what, std::string_view purpose) {
    const CampaignSettings& settings = m_run.population().settings;
    const LaneSpec& spec = m_lanes.spec(lane);
    Lanes::Job job;
    job.request.id = fmt::format("{}-{}", what, ++m_requests);
    job.request.problem = settings.problem;
    job.request.target = spec.target;
    job.request.device = spec.device;
    job.request.shapes = settings.shapes;
    job.request.allowNoSandbox = m_options.allowNoSandbox;
    job.request.measureSeconds = settings.measureSeconds;
    job.request.tieMarginPercent = settings.tieMarginPercent;
    job.evaluation.purpose = purpose;
    job.evaluation.lane = spec.label();
    return job;
}

void Loop::evaluated(std::size_t lane, const Evaluation& evaluation, bool cancelled) {
    m_lanes.release(lane);
    const auto anchor = m_anchors.ended(lane);
    const bool unreachable = !cancelled && evaluation.verdict.deviceTrouble == DeviceTrouble::unreachable;
    if (!unreachable) {
        m_lanes.reached(lane);
        m_lost.erase(evaluation.kernel);
    } else {
        laneUnreachable(lane, evaluation);
        takeBack(evaluation);
    }
    if (anchor) {
        if (!cancelled && !unreachable) {
            anchorMeasured(lane, *anchor, evaluation);
        }
        return;
    }
    const auto asked = askedOf(evaluation);
    if (asked) {
        m_asked.returned(*asked);
    }
    if (cancelled || unreachable) {
        if (!standsBeside(evaluation.purpose)) { // it has a verdict already
            m_run.stored(m_run.store().setKernelState(evaluation.kernel, KernelState::waiting));
        }
        return;
    }
    if (!asked) { // of other shapes, perhaps
        m_evaluationSeconds = static_cast<double>(evaluation.endedAt - evaluation.startedAt) / 1000;
    }
    m_run.notes.exhausted = false; // there is something new to learn from
    m_verdicts.keep(evaluation);
    if (evaluation.verdict.kind != VerdictKind::infrastructureFailed &&
        m_run.notes.askedKernels.erase(evaluation.kernel) > 0) {
        m_run.notes.askedJudged.insert(evaluation.kernel);
    }
    if (!m_campaign.hasUnsaved()) {
        m_lanes.kept(lane);
    }
    const bool failed = evaluation.verdict.kind == VerdictKind::infrastructureFailed;
    if (asked && !failed && !m_campaign.hasUnsaved()) {
        m_asked.done(*asked, evaluation.verdict);
    }
    if (asked && failed && evaluation.verdict.deviceTrouble == DeviceTrouble::none) {
        m_asked.failed(*asked, evaluation.verdict); // kernels of the person's choice: the lane is not to blame
    } else if (failed) {
        infrastructureFailed(evaluation);
    } else {
        m_lanes.failures().succeeded(evaluation.lane, evaluation.kernel);
    }
}

// Of a device in trouble nothing is said of the library: another lane measures it, or this one when it is back.
void Loop::anchorMeasured(std::size_t lane, const AnchorSpec& anchor, const Evaluation& evaluation) {
    if (evaluation.verdict.deviceTrouble != DeviceTrouble::none) {
        infrastructureFailed(evaluation);
        return;
    }
    if (m_run.stored(m_run.store().addAnchor(figureOf(anchor, evaluation), evaluation.verdict))) {
        m_lanes.kept(lane);
        m_run.refresh();
    }
}

void Loop::takeBack(const Evaluation& evaluation) {
    const PopulationPtr held = m_campaign.population();
    const Kernel* kernel = held->kernel(evaluation.kernel);
    if (evaluation.purpose == tunedPurpose && kernel != nullptr) {
        m_run.structures().setDuelled(m_run.structures().rootOf(*kernel)->id, false);
    } else if (evaluation.purpose == confirmationPurpose || evaluation.purpose == rankingPurpose) {
        --m_run.notes.confirmations;
    }
}

// Nothing was begun there that counts, and no kernel is at fault: other lanes go on, this one is tried again later.
void Loop::laneUnreachable(std::size_t lane, const Evaluation& evaluation) {
    const std::string& label = evaluation.lane;
    const std::string later = fmt::format("tried again in {} s", m_lanes.rest(lane).count());
    const Verdict& verdict = evaluation.verdict;
    m_run.warn({ErrorKind::infrastructure, fmt::format("{}; {}", verdict.reason, later), label, verdict.next},
               "evaluator");
    // A kernel that takes its machine down does so wherever it is tried.
    if (verdict.totalSeconds > 0 && ++m_lost[evaluation.kernel] >= lossLimit) {
        m_lost.erase(evaluation.kernel);
        m_run.halt({ErrorKind::infrastructure,
                    fmt::format("kernel {} was being evaluated {} times when its machine was lost",
                                kernelLabel(evaluation.kernel), lossLimit),
                    label, "Ban it if it is at fault; then run again"},
                   "evaluator", evaluation.kernel);
    }
    m_outlet.emit(ActivityChanged{label, Activity::away, {}, {}, -1, fmt::format("unreachable, {}", later), now()});
}

// The kernel waits again, uncharged.
void Loop::infrastructureFailed(const Evaluation& evaluation) {
    const Verdict& verdict = evaluation.verdict;
    // The folder of a command pack may go away under an evaluation: no device is at fault.
    if (const CampaignSettings& settings = m_run.population().settings; settings.judgedByHarness) {
        if (const auto pack = packOfCampaign(settings); !pack) {
            m_run.halt(pack.error(), "problem");
            return;
        }
    }
    const Error error = {ErrorKind::infrastructure, verdict.reason, evaluation.lane, verdict.next};
    switch (
        m_lanes.failures().failed(evaluation.lane, evaluation.kernel, verdict.deviceTrouble != DeviceTrouble::none)) {
    case LaneFailures::Consequence::laneOut:
        takeOutOfService(evaluation.lane, verdict);
        break;
    case LaneFailures::Consequence::askPerson:
        m_run.halt(error, "evaluator", evaluation.kernel);
        break;
    case LaneFailures::Consequence::tryAgain:
        m_run.warn(error, "evaluator", evaluation.kernel);
        break;
    }
}

void Loop::takeOutOfService(const std::string& lane, const Verdict& verdict) {
    m_run.refresh();
    CampaignSettings settings = m_run.population().settings;
    settings.lanesOut[lane] = {verdict.reason, verdict.next, now()};
    const Steering line = {0, Author::engine, "disable device", lane + ": " + verdict.reason, 0};
    if (!m_run.stored(m_run.store().saveSettings(settings, line))) {
        return;
    }
    m_run.refresh();
    const bool last = m_lanes.inService(settings).empty();
    const Error error = {ErrorKind::infrastructure, fmt::format("device {} is disabled: {}", lane, verdict.reason),
                         lane,
                         fmt::format("{}{}", verdict.next.empty() ? "" : verdict.next + ". ",
                                     last ? "Then run again" : "Then re-enable the device")};
    last ? m_run.halt(error, "evaluator") : m_run.warn(error, "evaluator");
}

} // namespace gks
