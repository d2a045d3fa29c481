// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/call_watch.h"
#include "core/engine/engine.h"

#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

// What a terminal shows of a run: of its own (`run`), or of one that it watches (`attach`).
namespace gks::cli {

// What the engine said, from its threads to the one that prints.
class Said {
public:
    void hear(const EngineEvent& event);
    // What a model that is being asked is waited for, when there is something new to say of it.
    std::optional<std::string> takeCall();
    // What other machines have to work off, when it has changed.
    std::optional<std::string> takeAway();
    std::vector<Error> takeWarnings();
    StateChanged state() const;
    // The error that made the engine pause by itself.
    std::optional<Error> halt() const;
    bool hasTold(const Error& warning) const; // takeWarnings() has given it out

private:
    mutable std::mutex m_mutex;
    std::vector<Error> m_warnings;
    std::deque<Error> m_lastWarnings;
    std::set<std::string> m_told; // of m_lastWarnings
    StateChanged m_state;
    CallWatch m_call;
    std::optional<std::string> m_away;
};
void noteSaid(Said& said); // all that is new, on stderr

// One line on stderr for every kernel whose evaluation has ended since the last look; with events one on stdout.
class Progress {
public:
    Progress(const Population& population, bool asEvents);
    void report(const Population& population);

private:
    bool m_asEvents;
    std::map<KernelId, bool> m_evaluated;
};

} // namespace gks::cli
