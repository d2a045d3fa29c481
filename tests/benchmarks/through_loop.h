// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/benchmarks/recorded_campaign.h"

namespace gks::progress {

// The recorded replies of a campaign through today's loop: its prompts, checks, picks and scheduling, with the recorded
// verdicts for a judge.
struct Replayed {
    Recorded recorded;
    PopulationPtr today;
    std::map<std::string, RecordedReplies::Count> replies; // by stage
    std::map<std::string, std::size_t> unreadable;         // by stage: given, and refused
    std::vector<std::string> reasons;                      // why, each once
    int unknownSources = 0;
    std::string end; // why the run ended
};
Result<Replayed> replayThroughLoop(const std::string& file);
std::string replayedText(const Replayed& replayed);

} // namespace gks::progress
