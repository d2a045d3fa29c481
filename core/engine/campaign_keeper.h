// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/store.h"
#include "core/engine/outlet.h"

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace gks {

// The campaign as the loop holds it: the store, what was last read of it, and what the outside has been shown; the wall
// time of the run; and what could not be stored yet. Used on the loop's thread alone.
class CampaignKeeper {
public:
    using Clock = std::chrono::steady_clock;

    CampaignKeeper(std::unique_ptr<CampaignStore> store, Outlet& outlet, std::chrono::milliseconds publishInterval,
                   std::chrono::milliseconds lockPatience);

    Result<void> open(); // recovers the file, unless it can only be read, and reads the first population
    void close();        // sends back what is in flight, as the next opening would

    CampaignStore& store() { return *m_store; }
    const CampaignStore& store() const { return *m_store; }
    const PopulationPtr& population() const { return m_population; } // as of the last refresh()
    // A reader looks again and again: it is told once that it cannot.
    Result<void> refresh();
    void publish(bool atOnce); // changes that lie closer than the interval are one event

    void setRunning(bool running); // whether the wall time counts
    double wallSeconds() const;    // with those that are not in the file yet
    void storeWallTime(bool atOnce);
    // When one of these is due again, without a message.
    std::optional<Clock::time_point> nextDue() const;

    // What fails, a full disk, a file that is locked for long, waits: exchanges for keepExchanges(), verdicts for
    // takeUnsaved().
    Result<std::int64_t> keep(const Evaluation& evaluation, std::optional<ExperimentState> itsExperiment);
    Result<void> keep(const Exchange& exchange);
    Result<void> keepExchanges();
    std::vector<Evaluation> takeUnsaved();
    bool hasUnsaved() const { return !m_unsaved.empty(); }

private:
    double unstoredSeconds() const;

    std::unique_ptr<CampaignStore> m_store;
    Outlet& m_outlet;
    std::chrono::milliseconds m_publishInterval;
    std::chrono::milliseconds m_lockPatience;
    PopulationPtr m_population;
    PopulationPtr m_published;
    Clock::time_point m_publishedAt;
    bool m_unreadable = false; // the file, when it was last looked at
    std::optional<Clock::time_point> m_runningSince;
    double m_secondsBefore = 0; // of earlier stretches that are not stored yet
    Clock::time_point m_accountedAt = Clock::now();
    std::vector<Evaluation> m_unsaved;
    std::deque<Exchange> m_unsavedExchanges;
};

} // namespace gks
