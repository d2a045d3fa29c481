// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <optional>
#include <string>
#include <vector>

// The one ratio that a campaign claims: its best kernel over the baseline, and whether that is confirmed. The best was
// chosen among many noisy measurements, so the run that made it the best flatters it; a paired run with the baseline
// made afterwards does not. Window, `show` and reports ask here.
namespace gks {

// "00001 naive": the kernel that speedups refer to, by its name; "the baseline" where there is none.
std::string baselineName(const Population& population);

// What the judge said of a kernel. It calls the kernel that ran beside it the baseline, as it knows no other name: here
// that one has its number.
std::string reasonText(const Population& population, const Kernel& kernel);

// An accepted comparison with the baseline that ended a run. One that leaves the ratio open confirms nothing, nor does
// one that a person asked for: it may have been what made the kernel the best, and may speak of other shapes.
bool isConfirmation(const Evaluation& evaluation);
// The newest of a kernel's, while it stands: a later one that left the ratio open takes its word back, and so does a
// baseline that has failed since.
std::optional<Evaluation> confirmationOf(const Population& population, const std::vector<Evaluation>& evaluations);

struct HeadlineRatio {
    enum class State { nothingAccepted, baselineIsBest, confirmed, notConfirmed, notCompared };
    State state = State::nothingAccepted;
    std::optional<KernelId> best = {};
    std::string ratio = {};                    // "538x [537, 540]"; empty where nothing was compared
    VerdictKind verdict = VerdictKind::faster; // of a confirmation: faster, tie or slower than the baseline
    std::string baseline = {};                 // its name
    bool isCpu = false;                        // CPU timings
    bool isByHarness = false;                  // of a command pack
    bool isConfirmed() const { return state == State::confirmed; }
    // "538x [537, 540] confirmed, faster than baseline 00001 naive", "506x [500, 512] not confirmed, by all paired runs
    // over baseline 00001 naive": the word stands in front, where no narrow line cuts it off.
    std::string text() const;
    std::string comparison() const; // the same without whose word it is, where that is a harness
    bool operator==(const HeadlineRatio&) const = default;
};
// `ofBest`: the evaluations of the best kernel.
HeadlineRatio headlineRatio(const Population& population, const std::vector<Evaluation>& ofBest);

} // namespace gks
