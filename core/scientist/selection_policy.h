// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scientist/scientist.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

// Who becomes the next parent when no model is asked.
namespace gks {

// What came of a kernel as a parent: experiments that were begun and kernels that were made from it by hand.
struct Tries {
    int begun = 0;
    int failed = 0;        // never led to a kernel that passed the judge
    double sumLogGain = 0; // sum of ln(time of the parent / time of the kernel) over those that passed
    int passed = 0;
};
std::map<KernelId, Tries> triesByParent(const Population& population);
// The same without the tuner's points, which are no steps from one kernel to another idea.
std::map<KernelId, Tries> stepsByParent(const Population& population);
// "tried once, 1 failed", "tried 3 times as a parent, 0 failed".
std::string triesText(const Tries& tries, std::string_view how = {});

// The fastest eligible kernel that comes from another seed than `basis`; where all come from one, the fastest other.
std::optional<KernelId> fastestOfAnotherLine(const Population& population, KernelId basis);

// Parent and reference by rule, with the numbers that decided in the rationale. `model` is not a rule: it is answered
// like `best`. ErrorKind::kernel when no kernel has passed the judge.
Result<Selection> selectByPolicy(SelectorPolicy policy, const Population& population);

} // namespace gks
