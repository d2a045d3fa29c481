// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop.h"

#include "core/engine/run_end.h"

#include <thread>

namespace gks {

Loop::Loop(std::unique_ptr<CampaignStore> store, EngineOptions options, EngineSeams seams, Outlet& outlet,
           History& history)
    : m_options(std::move(options))
    , m_seams(std::move(seams))
    , m_outlet(outlet)
    , m_campaign(std::move(store), outlet, m_seams.publishInterval, m_seams.lockPatience)
    , m_run(m_campaign, outlet)
    , m_briefings(m_seams.problem, history)
    , m_trust(m_run, outlet)
    , m_proposals(m_run, outlet)
    , m_drafts(m_run, m_scientists)
    , m_tuning(m_run, m_campaign, m_briefings, m_drafts)
    , m_verdicts(m_run, m_campaign, m_drafts, m_tuning)
    , m_asked(m_run)
    , m_anchors(m_seams.problem)
    , m_screening(m_run, m_seams.processors)
    , m_lanes(m_seams.evaluationService, outlet,
              [this](std::size_t lane, Evaluation evaluation, bool cancelled) {
                  post([lane, done = std::move(evaluation), cancelled](Loop& loop) {
                      loop.evaluated(lane, done, cancelled);
                  });
              })
    , m_benches(m_seams.evaluationService, outlet,
                [this](std::size_t bench, Evaluation evaluation, bool cancelled) {
                    post([bench, done = std::move(evaluation), cancelled](Loop& loop) {
                        loop.screened(bench, done, cancelled);
                    });
                })
    , m_scientists(scientistLinks(), outlet)
    , m_commands(CommandDesk::Parts{m_run, m_campaign, outlet, m_trust, m_lanes, m_benches, m_scientists, m_proposals,
                                    m_drafts, m_verdicts}) {}

ScientistDesk::Links Loop::scientistLinks() {
    ScientistSinks sinks;
    sinks.askPerson = m_options.askPerson;
    sinks.findKey = m_options.findKey;
    sinks.mayAsk = [this](const ModelChoice& choice) {
        return trustedModels(m_trust.identity(), m_run.store().file().string())(choice);
    };
    const auto keep = [this](Exchange exchange) {
        post([exchange = std::move(exchange)](Loop& loop) { loop.addExchange(exchange); });
    };
    const auto postBack = [this](ScientistDesk::Continuation reply) {
        post([reply = std::move(reply)](Loop&) { reply(); });
    };
    return {m_seams.scientist, std::move(sinks), keep, postBack};
}

Loop::~Loop() {
    m_scientists.cancel();
    m_benches.cancel();
    m_lanes.join();
    m_benches.join();
    m_scientists.join();
    // What they brought back at the last moment is kept: a finished evaluation, the price of a model call.
    while (const auto message = m_mailbox.tryPop()) {
        (*message)(*this);
    }
    m_verdicts.keepUnsaved();
    // The file does not wait for evaluators that take their time to end.
    const std::jthread parting([this] { m_lanes.close(); });
    const std::jthread partingOfBenches([this] { m_benches.close(); });
    m_campaign.close();
}

Result<void> Loop::prepare() {
    GKS_TRY(m_campaign.open());
    if (m_run.store().readOnly()) { // nothing is asked, built or run
        m_campaign.publish(true);
        return {};
    }
    GKS_TRY(m_trust.open(m_options.trusted));
    const std::vector<LaneSpec> lanes = lanesOf(m_run.population().settings, m_options.lanes);
    GKS_TRY(checkLanes(lanes, m_run.population().settings));
    GKS_TRY(m_lanes.open(lanes));
    GKS_TRY(openBenches(lanes));
    m_campaign.publish(true);
    m_trust.isTrusted(false);
    return {};
}

void Loop::run() {
    while (!m_ended) {
        for (auto message = m_mailbox.pop(nextDue()); message; message = m_mailbox.tryPop()) {
            (*message)(*this);
            if (m_ended) {
                return;
            }
            m_run.refresh(); // the next one, an approval behind an edit, builds on what this one has written
        }
        m_campaign.storeWallTime(false);
        m_run.refresh();
        schedule();
        m_run.refresh(); // the next command is checked against what has just been started
        m_campaign.publish(false);
        settle();
    }
}

std::optional<CampaignKeeper::Clock::time_point> Loop::nextDue() const {
    const auto write = m_campaign.nextDue();
    const auto lane = m_lanes.nextRested();
    return write && lane ? std::min(*write, *lane) : write ? write : lane;
}

// A machine that cannot be reached for now is no reason to end.
bool Loop::awaitsLane() const {
    const Population& population = m_run.population();
    return m_lanes.nextRested() && m_lanes.free(population.settings).empty() &&
           !isTimeOver(population, m_campaign.wallSeconds());
}

void Loop::settle() {
    const bool quiet =
        nothingInFlight() && (m_run.state() == EngineState::idle || m_run.state() == EngineState::paused);
    if (quiet) {
        m_campaign.publish(true);
    }
    m_outlet.settle(m_commandsSeen, quiet);
}

bool Loop::nothingInFlight() const {
    return m_scientists.inFlight().empty() && m_lanes.busy() == 0 && m_benches.busy() == 0;
}

void Loop::schedule() {
    RunNotes& notes = m_run.notes;
    if (m_run.state() == EngineState::stopping && nothingInFlight()) {
        m_run.enter(EngineState::idle, "");
    }
    measureAside();
    if (notes.standing) {
        return;
    }
    if (m_run.isRunning() && !notes.finishing) {
        notes.finishing = spentBudget(m_run.population(), {m_campaign.wallSeconds(), m_evaluationSeconds});
        notes.endsAtBest = false;
    }
    if (m_run.isRunning() && !notes.finishing) {
        notes.finishing = reasonOfBest(m_run.population());
        notes.endsAtBest = notes.finishing.has_value();
    }
    if (!m_run.isRunning() || notes.finishing) {
        m_scientists.cancelWaiting();
    }
    if (notes.finishing) {
        m_benches.cancel();      // nothing new is begun, and the best is to be measured alone
        m_lanes.cancelWaiting(); // nobody knows for how long
    }
    if (notes.finishing && isTimeOver(m_run.population(), m_campaign.wallSeconds())) {
        m_lanes.cancelAway();
    }
    if (!m_run.isRunning() || !m_trust.isPackTrusted()) {
        return;
    }
    m_proposals.setLeftOnesAside();
    m_drafts.settle();
    if (m_run.isRunning() && !notes.finishing) {
        openNotebook();
        startTuning();
        startEvaluations();
        startScreenings();
        startCalls();
    }
    if (m_run.isRunning() && notes.finishing && !isTimeOver(m_run.population(), m_campaign.wallSeconds())) {
        startAsked();
    }
    // A model may think for long: the best is confirmed meanwhile, as long as there is time.
    if (m_run.isRunning() && !awaitsLane() &&
        (notes.finishing ? m_lanes.busy() + m_benches.busy() == 0 : nothingInFlight())) {
        conclude();
    }
}

} // namespace gks
