// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/rules.h"
#include "core/engine/loop.h"

#include <algorithm>
#include <fmt/format.h>

// How a run ends: why it stands when nothing is in flight, and the last measurement of the best.
namespace gks {
namespace {

constexpr int confirmationLimit = 3; // a best that fails its confirmation makes room for the next

} // namespace

void Loop::conclude() {
    const std::size_t open = undecided();
    if (m_finishing) {
        if (!startConfirmation()) {
            enter(EngineState::idle, *std::exchange(m_finishing, std::nullopt));
        }
    } else if (nextExperiment() == nullptr && nextKernel() == nullptr && open > 0 &&
               m_population->settings.mode == Mode::approveExperiments) {
        m_waitsForApproval = true;
        enter(EngineState::paused,
              fmt::format("{} {} for your approval", open, open == 1 ? "experiment waits" : "experiments wait"));
    } else if (m_oneRound && m_roundDesigned && nextExperiment() == nullptr && nextKernel() == nullptr) {
        enter(EngineState::paused, "one round is done");
    } else if (m_exhausted && nextExperiment() == nullptr && nextKernel() == nullptr) {
        m_finishing = "nothing left to try";
        conclude();
    } else {
        enter(EngineState::paused, "nothing can be started as things are");
    }
}

// The best was chosen among many noisy measurements, so its own is flattering: it is measured once more, paired with
// the baseline.
bool Loop::startConfirmation() {
    const Kernel* best = m_population->best ? m_population->kernel(*m_population->best) : nullptr;
    const Kernel* baseline = m_population->baseline ? m_population->kernel(*m_population->baseline) : nullptr;
    const bool comparable = best != nullptr && baseline != nullptr && best != baseline && isAccepted(*baseline);
    const auto lane =
        std::find_if(m_lanes.begin(), m_lanes.end(), [this](const auto& one) { return isInService(*one); });
    if (!comparable || m_confirmations >= confirmationLimit || lane == m_lanes.end()) {
        return false;
    }
    const auto before = m_store->evaluations(best->id);
    if (!before) {
        warn(before.error(), "confirmation", best->id);
        return false;
    }
    const auto newest = std::find_if(before->rbegin(), before->rend(), [](const Evaluation& evaluation) {
        return evaluation.verdict.kind != VerdictKind::infrastructureFailed;
    });
    if (newest != before->rend() && newest->purpose == confirmationPurpose && newest->baseline == baseline->id) {
        return false;
    }
    ++m_confirmations;
    evaluate(**lane, *best, baseline, confirmationPurpose);
    return true;
}

} // namespace gks
