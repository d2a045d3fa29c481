// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/evidence.h"

#include <string>

// A campaign in words, for `run` and `show`.
namespace gks::cli {

// "314 us ±0.3 %"; on the cpu target with the word that says whose time it is.
std::string timeText(const Kernel& kernel, TargetKind target);
// "1.31x [1.29, 1.33]" over the parent; tie and undecided are called so. Empty when it was not compared.
std::string versusParentText(const Kernel& kernel);
// The kernel that an option names, "12" or "00012".
Result<KernelId> kernelFromText(const std::string& text, const Population& population,
                                std::string_view where = "kernel");
// Title, author and verdict of every kernel, the best one marked.
// The libraries that the problem names, beside the best; empty where none was tried.
std::string anchorTable(const Population& population);
std::string populationTable(const Population& population);
// Whose verdicts are shown, as a line; empty where our own judge's are.
std::string judgeLine(const CampaignSettings& settings);
// A few of them, without their speed over the baseline.
std::string kernelTable(const Population& population, const std::vector<const Kernel*>& kernels);
std::string experimentTable(const Population& population);
// One with all its words, as it is read before it is approved.
std::string experimentText(const Population& population, const Experiment& experiment); // with all of its drafts
// What a model thought in each round: why this parent, what limits it, which avenues it saw and what became of them.
std::string roundsText(const Population& population);
// How predictions came out, by stage and model; empty while none was measured.
std::string predictionTable(const Population& population);
// The drafts whose code waits for the person, and how they say what becomes of it; empty where none does.
std::string reviewText(const Population& population, const std::string& file);
// A line for every lane that is out of service, and what to do.
std::string outageText(const Population& population);

// The best kernel, its time alone and how much faster it is than the baseline; empty: there is none.
std::string headlineText(const Population& population, const std::vector<Evaluation>& evaluationsOfBest);
// The best kernel, how much faster it is than the baseline and how that is known.
std::string bestText(const Population& population, const std::vector<Evaluation>& evaluationsOfBest);

} // namespace gks::cli
