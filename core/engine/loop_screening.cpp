// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop.h"

#include <algorithm>
#include <fmt/format.h>

// Drafts on their way to the lanes: built and planned on benches, and what fails there goes back without a lane.
namespace gks {

// As the lanes of this machine build, or where all are away for the common card of their target. A bench's evaluator
// starts with its first draft.
Result<void> Loop::openBenches(const std::vector<LaneSpec>& lanes) {
    const auto here = std::find_if(lanes.begin(), lanes.end(), [](const LaneSpec& one) { return one.isHere(); });
    LaneSpec spec = here != lanes.end() ? *here : LaneSpec{lanes.front().target, 0, {}};
    spec.capacity = 1;
    m_lanesAreAway = here == lanes.end();
    const auto slots = std::max<std::size_t>(lanes.size(), 1);
    return m_benches.open(std::vector<LaneSpec>(m_screening.benches(spec.target, slots), spec));
}

void Loop::startScreenings() {
    for (const std::size_t bench : m_benches.free({})) {
        const PopulationPtr held = m_campaign.population();
        const LaneSpec& spec = m_benches.spec(bench);
        if (!m_run.isRunning() || evaluationsLeft(*held, evaluating()) <= 0 ||
            !m_screening.mayRunBeside(spec.target, m_lanes.busyHere())) {
            return;
        }
        const Kernel* kernel = nextToScreen(*held, m_screening.due());
        if (kernel == nullptr) {
            return;
        }
        auto source = kernel->source.read();
        if (!m_run.stored(source) || !m_run.stored(m_run.store().setKernelState(kernel->id, KernelState::screening))) {
            return;
        }
        Lanes::Job job;
        job.request.id = fmt::format("{}-{}", kernelLabel(kernel->id), ++m_requests);
        job.request.problem = held->settings.problem;
        job.request.source = std::move(*source);
        job.request.target = spec.target;
        job.request.device = spec.device;
        job.request.shapes = held->settings.shapes;
        job.request.allowNoSandbox = m_options.allowNoSandbox;
        job.request.screen = true;
        job.evaluation.kernel = kernel->id;
        job.evaluation.purpose = screeningPurpose;
        job.evaluation.lane = benchLane(bench);
        m_benches.start(bench, std::move(job));
        m_run.refresh();
    }
}

void Loop::screened(std::size_t bench, const Evaluation& evaluation, bool cancelled) {
    m_benches.release(bench);
    const VerdictKind kind = evaluation.verdict.kind;
    const bool isOver = cancelled || kind == VerdictKind::infrastructureFailed || isAccepted(kind);
    if (!isOver) {
        m_run.notes.failedScreenings = 0;
        m_run.notes.exhausted = false; // there is something new to learn from
        m_verdicts.keep(evaluation);
        return;
    }
    if (!m_run.stored(m_run.store().setKernelState(evaluation.kernel, KernelState::waiting)) || cancelled) {
        return;
    }
    if (isAccepted(kind)) {
        m_screening.passed(evaluation.kernel);
    } else {
        m_screening.failedByInfrastructure(evaluation, m_lanesAreAway);
    }
}

} // namespace gks
