// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/limits.h"
#include "core/engine/loop.h"

#include <algorithm>

// What the scientist is asked for.
namespace gks {

void Loop::startTuning() {
    const auto isHungry = [this] {
        const Population& population = m_run.population();
        return !lanesAreFed(population, m_lanes.inService(population.settings).size(), evaluating());
    };
    while (m_run.isRunning() && isHungry() && m_tuning.draftPoint()) {
    }
}

Situation Loop::situation() {
    const Population& population = m_run.population();
    const RunNotes& notes = m_run.notes;
    const bool asksModels = population.settings.scientist == ScientistKind::model;
    const int modelCalls = m_options.modelCalls.value_or(population.settings.policies.modelCalls);
    return {.population = population,
            .structures = m_run.structures(),
            .lanes = m_lanes.inService(population.settings).size(),
            .freeLanes = m_lanes.free(population.settings).size(),
            .evaluating = evaluating(),
            .underWay = m_drafts.underWay(),
            .callLimit = asksModels ? static_cast<std::size_t>(std::clamp(modelCalls, 1, limits::modelCalls)) : 1,
            .dearestCall = m_scientists.dearest(),
            .pace = {m_scientists.seconds(CallTask::select) + m_scientists.seconds(CallTask::design),
                     m_scientists.seconds(CallTask::write), m_evaluationSeconds},
            .selected = m_proposals.selection().has_value(),
            .mayDesign = !notes.exhausted && !(notes.oneRound && notes.roundDesigned)};
}

void Loop::startCalls() {
    while (m_run.isRunning()) {
        const auto call = nextCall(situation());
        if (!call || !start(*call)) {
            return;
        }
        m_run.refresh(); // what is being written now
    }
}

bool Loop::start(const ScientistCall& call) {
    const auto briefing = m_briefings.of(m_campaign.population());
    if (!briefing) {
        m_run.halt(briefing.error(), "problem");
        return false;
    }
    if (const auto ready = m_scientists.makeReady(m_run.population().settings); !ready) {
        m_run.halt(ready.error(), "scientist");
        return false;
    }
    auto work = workOf(call, *briefing);
    if (!work) {
        return false;
    }
    m_scientists.start(call, std::move(work));
    return true;
}

// Empty when the campaign cannot be written.
ScientistDesk::Work Loop::workOf(const ScientistCall& call, const Briefing& briefing) {
    switch (call.task) {
    case CallTask::select:
        return [this, briefing](Scientist& scientist, const std::stop_token& stop) -> ScientistDesk::Continuation {
            return [this, selection = scientist.select(briefing, stop)] { m_proposals.selected(selection); };
        };
    case CallTask::design:
        return [this, briefing, selection = m_proposals.takeSelection()](
                   Scientist& scientist, const std::stop_token& stop) -> ScientistDesk::Continuation {
            return [this, design = scientist.design(briefing, selection, stop)] { m_proposals.designed(design); };
        };
    case CallTask::write:
    case CallTask::repair:
        return draftingOf(call, briefing);
    }
    return nullptr;
}

ScientistDesk::Work Loop::draftingOf(const ScientistCall& call, const Briefing& briefing) {
    const Experiment& experiment = *briefing.population->experiment(*call.experiment);
    std::optional<RepairOrder> repair;
    if (const Kernel* failed = failedDraft(*briefing.population, experiment, m_drafts.underWay())) {
        const auto verdict = m_run.store().newestVerdict(failed->id);
        if (!m_run.stored(verdict)) {
            return nullptr;
        }
        auto order = repairOrder(*briefing.population, *failed, *verdict);
        if (!m_run.stored(order)) {
            return nullptr;
        }
        repair = std::move(*order);
    }
    auto writing = m_drafts.begin(experiment);
    if (!writing) {
        return nullptr;
    }
    writing->writer = call.writer; // for the scientist; what is stored stays the person's wish
    Briefing told = briefing;
    told.draftTurn = turnOfDraft(*briefing.population, m_drafts.underWay(), call);
    return [this, call, told, asked = *writing, repair](Scientist& scientist,
                                                        const std::stop_token& stop) -> ScientistDesk::Continuation {
        auto draft = repair ? scientist.repair(told, asked, repair->draft, repair->failure, repair->attempt, stop)
                            : scientist.write(told, asked, stop);
        return [this, call, author = scientist.author(), draft = std::move(draft)] {
            m_drafts.drafted(call, draft, author, m_scientists.newest());
        };
    };
}

} // namespace gks
