// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/model_stages.h"
#include "core/engine/draft_tally.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

// What is to be started, decided from the population and what is in flight; there is no plan beside them, so a campaign
// goes on after a kill from what the file says. Nothing here has a state or starts anything.
namespace gks {

struct CallPrice {
    std::int64_t tokens = 0;
    double usd = 0;
    bool operator==(const CallPrice&) const = default;
};

struct DraftCost {
    double usd = 0; // where the price is known
    double seconds = 0;
};

// How long things took in this run, in seconds; 0: not known yet.
struct Pace {
    double planning = 0; // a selection and a design
    double draft = 0;
    double evaluation = 0;
};

// All that a decision on the next call of the scientist looks at.
struct Situation {
    const Population& population;
    const Structures& structures; // of this population
    std::size_t lanes = 1;        // in service
    std::size_t freeLanes = 0;    // of these
    std::size_t evaluating = 0;   // on any lane
    DraftsUnderWay underWay = {}; // with the calls in flight, those of plans too
    std::size_t callLimit = 1;
    CallPrice dearestCall = {};
    Pace pace = {};
    bool selected = false; // a parent, for which nothing is designed yet
    bool mayDesign = true; // not exhausted, and not in a step whose one round is designed
};

// Lanes take, in this order: the built-in probes, the first seed (everything is compared with it), kernels that a
// person wrote or wants measured again, the other seeds, drafts of a person's experiments, then the drafts in the order
// in which they were written. Null: nothing can be taken now. `unscreened`: drafts that no lane takes yet.
const Kernel* nextKernel(const Population& population, const std::set<KernelId>& unscreened = {});
// Of these drafts the one that a bench takes; in the same order, whatever their parents wait for.
const Kernel* nextToScreen(const Population& population, const std::set<KernelId>& unscreened);
// Of what a person asked for by hand the first that can be taken: before a kernel, what it is compared with and the
// first seed, as far as they have no verdict yet.
const Kernel* nextAskedKernel(const Population& population, const std::set<KernelId>& asked);
// It goes before what a person asked to have measured side by side: a seed, or what a person wants evaluated.
bool goesBeforeComparisons(const Population& population, const Kernel& kernel);
// What a kernel is compared with: its parent, a seed with the first one. Null: with nothing, as a probe.
const Kernel* baselineOf(const Population& population, const Kernel& kernel);
std::int64_t evaluationsLeft(const Population& population, std::size_t evaluating); // that may still be started
// Every lane has a draft to take, or the budget has no room for more.
bool lanesAreFed(const Population& population, std::size_t lanes, std::size_t evaluating);

// The experiment of which a draft is to be written next; null: none is left. Points of the tuner are not drafted by a
// scientist.
const Experiment* nextExperiment(const Population& population, const Structures& structures,
                                 const DraftsUnderWay& underWay = {});
// The draft that goes back to the writer: what a person sent back, else the newest that failed; null: the next one is
// written from the experiment alone.
const Kernel* failedDraft(const Population& population, const Experiment& experiment,
                          const DraftsUnderWay& underWay = {});
// The call that is to be started now beside those in flight; called again until there is none.
//   drafts     of approved experiments are written side by side, as many ahead of the lanes as there may be calls; an
//              experiment that is written several times before the next one. What fails is repaired when all of its
//              drafts are judged and none was accepted;
//   planning   of the next round begins while drafts of this one are written or wait, when the lanes have about as much
//              work ahead as a selection, a design and a draft take: late, since results of this round are worth
//              knowing, and in time for the lanes. One plan at a time. It comes before a draft when every lane has one
//              ahead, and after what a person asked for.
//   code       that waits for a person keeps the next round waiting, and nothing else.
//   a second round is not planned before something of the first was judged, however many lanes are free.
//   evaluations are not planned for that drafts and repairs of this round may take.
//   a budget   of tokens or money must have room for the new call and those in flight at the price of the dearest.
//   a person   who answers in the place of a model is asked one thing at a time.
// With one call at a time this is: drafts while a lane has none to take, then the next round.
std::optional<ScientistCall> nextCall(const Situation& situation);

// Proposals of the newest round that are meant to be run and that nobody has decided on.
std::size_t undecided(const Population& population);
// Proposals that were not picked, of rounds of which nothing is to be decided, written or judged any more.
std::vector<const Experiment*> leftProposals(const Population& population);

} // namespace gks
