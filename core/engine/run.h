// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/campaign_keeper.h"
#include "core/engine/structures.h"

#include <map>
#include <set>
#include <utility>

namespace gks {

// What a run knows beside the population; a kill loses it, and the next run finds it out again.
struct RunNotes {
    bool oneRound = false;      // step
    bool roundDesigned = false; // in this step
    bool waitsForApproval = false;
    bool exhausted = false;               // the scientist had nothing to propose for the population as it is
    std::optional<std::string> finishing; // why the run ends when nothing is in flight any more
    bool endsAtBest = false;              // that is a goal that is reached, or nothing gained
    int confirmations = 0;
    int failedDrafts = 0;                     // in a row
    std::map<ExperimentId, int> barrenDrafts; // of several of one experiment: those that came to nothing
    int failedScreenings = 0;                 // in a row, by the infrastructure
    bool isScreeningOff = false;              // it has failed too often
    bool askedNow = false;                    // something to be measured, by a person who waits for it
    std::set<KernelId> askedKernels;          // to be evaluated, by the same
    std::set<KernelId> askedByAgents;         // of those: no budget is passed over for them
    std::set<KernelId> askedJudged;           // of those, since the lanes work for the person
    std::optional<EngineState> standing;      // lanes work for what a person asked for alone, and then it is this again
};

// The state of the engine over its campaign: running or not and why, and what is said of it. Every part of the loop
// writes through stored(): what cannot be written halts the run.
class Run {
public:
    Run(CampaignKeeper& campaign, Outlet& outlet) : m_campaign(campaign), m_outlet(outlet) {}

    EngineState state() const { return m_state; }
    bool isRunning() const { return m_state == EngineState::running; }
    RunNotes notes;

    const Population& population() const { return *m_campaign.population(); }
    CampaignStore& store() { return m_campaign.store(); }
    Structures& structures();  // of the population
    void ask(KernelId kernel); // a person wants it evaluated

    void enter(EngineState state, std::string reason);
    void halt(const Error& error, const std::string& stage, std::optional<KernelId> kernel = {},
              std::optional<ExperimentId> experiment = {});
    void warn(const Error& error, const std::string& stage, std::optional<KernelId> kernel = {},
              std::optional<ExperimentId> experiment = {});
    std::optional<Error> takeWarning() { return std::exchange(m_lastWarning, std::nullopt); } // since the last time
    void refresh(); // reads the population; halts when it cannot
    // True when the result is good; otherwise the run halts.
    template<class T>
    bool stored(const Result<T>& result) {
        if (!result) {
            halt(result.error(), "campaign");
        }
        return result.has_value();
    }

private:
    void dropAsked(); // who ends or halts a run sees what still waits

    CampaignKeeper& m_campaign;
    Outlet& m_outlet;
    EngineState m_state = EngineState::idle;
    Structures m_structures;
    std::optional<Error> m_lastWarning;
};

} // namespace gks
