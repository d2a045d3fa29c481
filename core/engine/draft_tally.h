// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/structures.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

// An experiment is written several times (Policies::drafts), and what fails is repaired. How many drafts there are and
// are to come, and what the experiment is by them, is said here and nowhere else:
//   writing     as long as a call is in flight, though others of its drafts may be judged already
//   approved    nobody writes, but another draft is to come: one of the first, a repair, or what a person sent back
//   evaluating  all are written, and one at least waits for its verdict
//   done        all are judged and one is accepted; failed: none is, and nothing is left to repair
// Drafts that came to nothing leave no kernel, so they are counted beside the population; after a kill they are written
// again.
namespace gks {

enum class CallTask { select, design, write, repair };
inline constexpr std::size_t callTaskCount = 4;
constexpr bool isPlanning(CallTask task) {
    return task == CallTask::select || task == CallTask::design;
}

struct ScientistCall {
    CallTask task = CallTask::select;
    std::optional<ExperimentId> experiment;
    std::string writer = {}; // who answers (model_stages.h); empty: the stage's own model
    bool operator==(const ScientistCall&) const = default;
};

struct DraftsUnderWay {
    std::vector<ScientistCall> calls = {};   // in flight
    std::map<ExperimentId, int> barren = {}; // first drafts of this run that came to nothing
    int barrenOf(ExperimentId experiment) const {
        const auto found = barren.find(experiment);
        return found == barren.end() ? 0 : found->second;
    }
};

// How often an experiment is written: once where numbers alone are set, and where a program measures one thing.
int draftsWanted(const Population& population, const Experiment& experiment);

struct DraftTally {
    int begun = 0; // of the first ones: written, being written or come to nothing
    int left = 0;  // of the first ones, to be begun
    int calls = 0; // in flight
    int open = 0;  // without a verdict, which may still come
    int accepted = 0;
    bool mayBeRepaired = false;       // attempts are left
    const Kernel* failed = nullptr;   // the newest that a repair may start from
    const Kernel* sentBack = nullptr; // by a person, and nobody writes it anew yet
    bool isApproved = false;

    // What is to be called for now; nothing: what is written, or being written, decides.
    std::optional<CallTask> next() const;
    int callsLeft() const; // that are to be made, as far as is known
    // But for a repair nothing of it is to come.
    bool isOver() const { return calls == 0 && left == 0 && open == 0 && sentBack == nullptr; }
    ExperimentState state() const;
};

// `changed`: a kernel as it is about to be, in the place of the one with its id; with id 0 a new one.
DraftTally draftTally(const Population& population, const Experiment& experiment, const DraftsUnderWay& underWay,
                      const Kernel* changed = nullptr);

// What a repair is the how manyth of, from 1: beyond the drafts that were asked for.
int repairAttempt(const Population& population, const Kernel& failed);

// Which of the drafts of its writer for this experiment a call brings, from 0: each asks with another temperature.
int turnOfDraft(const Population& population, const DraftsUnderWay& underWay, const ScientistCall& call);

} // namespace gks
