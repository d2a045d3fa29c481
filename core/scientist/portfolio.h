// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <string>
#include <string_view>
#include <vector>

// What each writer and each kind of experiment has brought for what it cost, and which writer comes next. Nothing of it
// is kept: all is reckoned from the population, so a campaign that goes on decides as it would have before.
namespace gks {

// Of a writer, or of a kind of experiment. Every draft of a model counts, repairs by themselves; probes do for their
// kind alone.
struct Brought {
    std::string name; // a writer's (Kernel::writer, "": the stage's own model), or a kind's
    std::int64_t experiments = 0;
    std::int64_t drafts = 0;   // kernels, and drafts that came to nothing
    std::int64_t accepted = 0; // of them
    double bestGain = 0;       // the highest over the parent, time before / time after; 0: none was measured
    double logGain = 0;        // ln of the factor by which they made the fastest kernel of all faster, together
    double minutes = 0;
    double usd = 0;
    bool isPriceKnown = true; // of all its drafts, as far as the population says
    double cost = 0;          // of all drafts, in drafts of an average writer
    double share = 0;         // of all drafts
    double rate = 0;          // logGain / cost, newer drafts weigh more
    double bound = 0;         // upper confidence bound of the rate; infinite: nothing was tried
};

// Those of the settings, the stage's own first, then those that are gone; by name.
std::vector<Brought> broughtByWriters(const Population& population);
// In the order of ExperimentKind, those that were tried.
std::vector<Brought> broughtByKinds(const Population& population);
// A table of these with its definitions, for the designer; empty while no draft was judged.
std::string kindsText(const Population& population);

// A draft that is being written.
struct DraftAtWork {
    ExperimentId experiment = 0;
    std::string writer;
};
// Who writes the next draft of the experiment: the one whom a person has named, else, of those who have written the
// fewest drafts of this experiment, the one with the highest bound. A name that is gone from the settings names nobody.
std::string nextWriter(const Population& population, const Experiment& experiment,
                       const std::vector<DraftAtWork>& atWork = {});
// Who mends the draft: whom a person has named, else who wrote it.
std::string repairWriter(const Population& population, const Experiment& experiment, const Kernel& draft);

// "own", "deep": as it is typed and shown.
std::string writerLabel(std::string_view writer);
// The models that wrote a writer's drafts, the newest last: what is told of its drafts is of those. Of a writer without
// drafts the one in the settings; "gone" of one that is not there any more and never said.
std::string writerModelText(const Population& population, const std::string& writer);
// "written by deep (gpt-5) in 2 min 05 s for $0.12", as far as it is known; empty for what no model wrote.
std::string draftText(const Kernel& kernel);
// "4.1 %": by how much the fastest kernel becomes faster for the cost of an ordinary draft; "-": nothing was tried.
std::string ratePercent(const Brought& brought);

} // namespace gks
