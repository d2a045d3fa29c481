// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop.h"

#include <fmt/format.h>

// What lanes are given, and what they bring back.
namespace gks {

void Loop::startEvaluations() {
    for (const std::size_t lane : m_lanes.free(m_run.population().settings)) {
        const PopulationPtr held = m_campaign.population(); // refresh() must not take the kernel away
        const bool isHeldUp =
            m_benches.busy() > 0 && !m_screening.mayRunBeside(m_lanes.spec(lane).target, m_lanes.busy() + 1);
        if (!m_run.isRunning() || isHeldUp || evaluationsLeft(*held, m_lanes.busy()) <= 0) {
            return;
        }
        const Kernel* kernel = nextKernel(*held, m_screening.due());
        if (kernel == nullptr && startDuel(lane)) {
            continue;
        }
        if (kernel == nullptr) {
            return;
        }
        if (m_lanes.belongsElsewhere(kernel->id, lane, held->settings)) {
            continue;
        }
        if (!m_run.stored(m_run.store().setKernelState(kernel->id, KernelState::evaluating))) {
            return;
        }
        evaluate(lane, *kernel, baselineOf(*held, *kernel), kernel->verdict ? "again" : "new kernel");
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
    evaluate(lane, *duel->fastest, duel->rival, tunedPurpose);
    return true;
}

void Loop::evaluate(std::size_t lane, const Kernel& kernel, const Kernel* baseline, std::string_view purpose) {
    const CampaignSettings& settings = m_run.population().settings;
    const LaneSpec& spec = m_lanes.spec(lane);
    Lanes::Job job;
    job.request.id = fmt::format("{}-{}", kernelLabel(kernel.id), ++m_requests);
    job.request.problem = settings.problem;
    job.request.source = kernel.source;
    job.request.target = spec.target;
    job.request.device = spec.device;
    job.request.shapes = settings.shapes;
    job.request.allowNoSandbox = m_options.allowNoSandbox;
    job.request.counters = settings.policies.counters && kernel.author != Author::tuner;
    job.request.measureSeconds = settings.measureSeconds;
    job.request.tieMarginPercent = settings.tieMarginPercent;
    job.evaluation.kernel = kernel.id;
    job.evaluation.purpose = purpose;
    job.evaluation.lane = spec.label();
    if (baseline != nullptr) {
        job.request.baseline = baseline->source;
        job.evaluation.baseline = baseline->id;
    }
    job.looksFirst = kernel.author == Author::tuner && spec.target == TargetKind::amd && !m_lanes.isAway(lane);
    m_lanes.start(lane, std::move(job));
}

void Loop::evaluated(std::size_t lane, const Evaluation& evaluation, bool cancelled) {
    m_lanes.release(lane);
    if (cancelled) {
        if (!standsBeside(evaluation.purpose)) { // it has a verdict already
            m_run.stored(m_run.store().setKernelState(evaluation.kernel, KernelState::waiting));
        }
        return;
    }
    m_evaluationSeconds = static_cast<double>(evaluation.endedAt - evaluation.startedAt) / 1000;
    m_run.notes.exhausted = false; // there is something new to learn from
    m_verdicts.keep(evaluation);
    if (!m_campaign.hasUnsaved()) {
        m_lanes.kept(lane);
    }
    if (evaluation.verdict.kind == VerdictKind::infrastructureFailed) {
        infrastructureFailed(evaluation);
    } else {
        m_lanes.failures().succeeded(evaluation.lane, evaluation.kernel);
    }
}

// The kernel waits again, uncharged.
void Loop::infrastructureFailed(const Evaluation& evaluation) {
    const Verdict& verdict = evaluation.verdict;
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
    const Steering line = {0, Author::engine, "lane out of service", lane + ": " + verdict.reason, 0};
    if (!m_run.stored(m_run.store().saveSettings(settings, line))) {
        return;
    }
    m_run.refresh();
    const bool last = m_lanes.inService(settings).empty();
    const Error error = {ErrorKind::infrastructure, fmt::format("lane {} is out of service: {}", lane, verdict.reason),
                         lane,
                         fmt::format("{}{}", verdict.next.empty() ? "" : verdict.next + ". ",
                                     last ? "Then start again" : "Then put the lane back in service")};
    last ? m_run.halt(error, "evaluator") : m_run.warn(error, "evaluator");
}

} // namespace gks
