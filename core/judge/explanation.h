// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/verdict.h"

#include <string>
#include <vector>

namespace gks {

// Why a verdict is what it is, from its own facts: for people who want to judge the judge.
struct Explanation {
    // The checks of one shape in one phase.
    struct Checked {
        std::map<std::string, std::int64_t> shape;
        std::string phase;
        std::string inputs;   // distributions
        int calls = 0;        // whose outputs were compared
        int timedCalls = 0;   // out of so many; 0 where no times were taken
        std::string compared; // "c: all 4096", "c: 4213 of 12582912 in each"
        bool passed = true;
    };
    std::vector<std::string> processes; // where code ran, each with its wall; empty in verdicts that did not say so
    std::vector<Checked> checks;        // in the order in which they ran
    std::vector<std::string> races;     // cpu target: what was looked at on which shape
    std::vector<std::string> decided;   // sentences
    std::vector<std::string> otherwise; // what would have changed the verdict
};
Explanation explain(const Verdict& verdict);

// How much of each output was compared in a call: "c: all 4096", "c: 4213 of 12582912".
std::string comparedText(const VerificationFact& fact);

} // namespace gks
