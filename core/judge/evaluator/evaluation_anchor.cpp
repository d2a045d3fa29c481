// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/evaluation_run.h"
#include "core/judge/evaluator/trial/anchor_trial.h"

#include <fmt/format.h>

// An anchor in the place of a kernel: a library that the problem pack names. The request has its name alone, and its
// source is read from the pack here, so that no text of a candidate, of a bundle or of a job can become one.
namespace gks {

Judged<void> EvaluationRun::chooseAnchor() {
    if (!isOfAnchor()) {
        return {};
    }
    m_verdict.kernelSha256.clear(); // until its source has been read
    if (m_request.staticOnly || m_request.recorded || !m_request.compilerOptions.empty()) {
        return refuse(VerdictKind::infrastructureFailed,
                      "an anchor has no static report, no recorded plans and no compiler options",
                      "Ask for its time alone");
    }
    GKS_TRY_ASSIGN(m_anchor, anchorOf(*m_pack, m_request.anchor, m_request.target));
    m_verdict.environment["anchor"] = m_anchor.name;
    m_verdict.environment["anchor_version"] = m_anchor.title;
    return {};
}

Judged<void> EvaluationRun::buildAnchor() {
    GKS_TRY_ASSIGN(m_anchorLibrary,
                   AnchorLibrary::build(*m_pack, m_anchor, m_target, {m_sandbox, m_request.allowNoSandbox, m_stop}));
    m_verdict.kernelSha256 = m_anchorLibrary.sourceSha256;
    m_verdict.build = m_anchorLibrary.facts;
    tellProcess(m_anchorLibrary.facts.cached ? "no compiler: the anchor is from the cache"
                                             : fmt::format("compiler ({}): the anchor of the problem pack", wall()));
    return {};
}

// Its process is for it alone: no candidate is ever loaded where host code was.
Judged<std::unique_ptr<KernelTrial>> EvaluationRun::startAnchor() {
    tellProcess(
        fmt::format("runner ({}): owns the device; the anchor, code of the problem pack, calls its library", wall()));
    RunnerSession::Setup setup = runnerSetup();
    setup.anchor = RunnerSession::AnchorFiles{m_anchorLibrary.file, m_anchorLibrary.readable};
    auto session = m_runners.take(setup);
    if (!session) {
        return refuse(session.error());
    }
    RunnerTrial::Setup trial;
    trial.timeLimit = std::chrono::duration<double>(m_request.timeoutSeconds);
    trial.stop = m_stop;
    return std::make_unique<AnchorTrial>(std::move(*session), m_request.target, std::move(trial), *m_images, *m_pack,
                                         *m_clock);
}

void EvaluationRun::noteVersion(const KernelTrial& trial) {
    const auto* const anchor = dynamic_cast<const AnchorTrial*>(&trial);
    if (anchor != nullptr && !anchor->version().empty()) {
        m_verdict.environment["anchor_version"] = anchor->version();
    }
}

// A line on a chart and no win: what misses the tolerance is measured all the same, and the verdict says so.
void EvaluationRun::concludeAnchor() {
    if (m_misses.isEmpty()) {
        return;
    }
    m_verdict.kind = VerdictKind::wrong;
    m_verdict.reason = m_misses.text();
    m_verdict.next.clear();
}

} // namespace gks
