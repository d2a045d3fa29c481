// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/counted.h"
#include "core/campaign/ranking.h"
#include "core/campaign/rules.h"
#include "core/engine/loop.h"
#include "core/engine/run_end.h"

#include <algorithm>
#include <fmt/format.h>

// How a run ends: why it stands when nothing is in flight, and the last measurement of the best.
namespace gks {
namespace {

std::string approvalText(std::size_t experiments, std::size_t drafts) {
    const auto some = [](std::size_t count, std::string_view what) {
        return count == 0 ? std::string() : counted(count, what);
    };
    return fmt::format("{}{}{} {} approval", some(experiments, "experiment"),
                       experiments > 0 && drafts > 0 ? " and " : "", some(drafts, "draft"),
                       experiments + drafts == 1 ? "needs" : "need");
}

} // namespace

void Loop::conclude() {
    const Population& population = m_run.population();
    RunNotes& notes = m_run.notes;
    const std::size_t open = population.settings.mode == Mode::approveExperiments ? undecided(population) : 0;
    const bool nothingToDo = nextExperiment(population, m_run.structures()) == nullptr &&
                             nextKernel(population) == nullptr; // screened or not
    const std::size_t drafts = draftsToReview(population).size();
    if (notes.finishing) {
        if (!startConfirmation() && nothingInFlight()) {
            finish();
        }
    } else if (drafts > 0 || (nothingToDo && open > 0)) {
        notes.waitsForApproval = true;
        m_run.enter(EngineState::paused, approvalText(open, drafts));
    } else if (nothingToDo && notes.oneRound && notes.roundDesigned) {
        m_run.enter(EngineState::paused, "round finished");
    } else if (nothingToDo && notes.exhausted) {
        notes.finishing = "nothing left to try";
        conclude();
    } else {
        m_run.enter(EngineState::paused, "nothing to run: check mode, budgets and devices");
    }
}

// What was measured last may say that the goal is not reached, or that another kernel is the best: the run goes on.
void Loop::finish() {
    RunNotes& notes = m_run.notes;
    if (notes.endsAtBest) {
        notes.finishing = reasonOfBest(m_run.population());
    }
    if (notes.finishing) {
        m_run.enter(EngineState::idle, *std::exchange(notes.finishing, std::nullopt));
    } else {
        notes.confirmations = 0;
        post([](Loop&) {}); // looks again at what can be started
    }
}

// Who is the best is decided by the pairs that decide it most. The best was chosen among many noisy measurements, so
// its own is flattering: it is measured once more, paired with the baseline.
bool Loop::startConfirmation() {
    const PopulationPtr held = m_campaign.population();
    const Kernel* best = held->best ? held->kernel(*held->best) : nullptr;
    const Kernel* baseline = held->baseline ? held->kernel(*held->baseline) : nullptr;
    const bool comparable = best != nullptr && baseline != nullptr && best != baseline && isAccepted(*baseline);
    std::vector<std::size_t> lanes = m_lanes.free(held->settings);
    if (isTimeOver(*held, m_campaign.wallSeconds())) {
        std::erase_if(lanes, [this](std::size_t lane) { return m_lanes.isAway(lane); });
    }
    const auto wish = m_run.notes.confirmations < rankingLimit && !lanes.empty() ? nextComparison(*held) : std::nullopt;
    if (wish) {
        ++m_run.notes.confirmations;
        evaluate(lanes.front(), *held->kernel(wish->kernel), held->kernel(wish->other), rankingPurpose);
        return true;
    }
    if (!comparable || m_run.notes.confirmations >= confirmationLimit || lanes.empty()) {
        return false;
    }
    const auto before = m_run.store().evaluations(best->id);
    if (!before) {
        m_run.warn(before.error(), "confirmation", best->id);
        return false;
    }
    const auto newest = std::find_if(before->rbegin(), before->rend(), [](const Evaluation& evaluation) {
        return evaluation.verdict.kind != VerdictKind::infrastructureFailed && !isAsked(evaluation.purpose);
    });
    if (newest != before->rend() && newest->purpose == confirmationPurpose && newest->baseline == baseline->id) {
        return false;
    }
    ++m_run.notes.confirmations;
    evaluate(lanes.front(), *best, baseline, confirmationPurpose);
    return true;
}

} // namespace gks
