// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace gks {

// A kernel of tests/cheats and what its head says of it:
//   // Row 5, 30: does nothing after the first call
//   // Caught: wrong|crashed: elements differ       the verdicts it may end with, and what their reason has to say
//   // Gains nothing: why                           instead, for tricks that change no result
//   // Problem: sum-reduction                       affine when absent
struct CheatSample {
    std::string name;
    std::string source;
    std::vector<int> rows; // of resources/docs/cheats.md
    std::string trick;
    std::string verdicts; // separated by |, empty for tricks that gain nothing
    std::string caughtBy; // part of the reason, or why nothing is gained
    std::string problem = "affine";

    bool gainsNothing() const { return !rows.empty() && verdicts.empty(); }
};

// Sorted by row and name. Honest kernels have no row, and a verdict only where a launch plan cannot express their
// style.
std::vector<CheatSample> readSamples(const std::string& folder);

// The table of resources/docs/cheats.md, Markdown.
std::string tableOf(const std::vector<CheatSample>& samples);

} // namespace gks
