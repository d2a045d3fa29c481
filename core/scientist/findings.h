// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What an evaluation teaches, drafted without a model: what was tried, what it brought, what changed with it.
namespace gks {

struct FindingChange {
    Finding finding;
    bool isNew = false;
    bool contradicts = false; // what was believed so far
};

// What is known beside the population; all may be empty.
struct FindingContext {
    std::optional<StaticReport> parentReport;
    std::string lesson;                   // of the model that wrote or checked the kernel, appended to the draft
    std::vector<std::int64_t> superseded; // evaluations of a first draft that this one, tuned against tuned, replaces
};

// What `evaluation` of an experiment's kernel adds to the findings or changes in one of them; nothing when it teaches
// nothing: the infrastructure failed, there was no comparison with the parent, a repair is to follow, the tuner changed
// several values at once, or it is known already. A text that a person edited stays as it is.
std::optional<FindingChange> updateFindings(const Population& population, const Experiment& experiment,
                                            const Kernel& kernel, const Evaluation& evaluation,
                                            const FindingContext& context = {});

// What a text is about: its first clause, at most a dozen words.
std::string subjectFrom(std::string_view text);
// The same thing tried: nearly the same words in any order and form, and exactly the same numbers.
bool sameSubject(const std::string& a, const std::string& b);
// Two independent intervals (95 %) of the same gain, above zero. Those that do not overlap are not of the same
// gain: then all of what both hold.
Interval combined(const Interval& a, const Interval& b);

// "VGPR 84 to 64, LDS 0 B to 16 KiB": the greatest changes from one static report to another; empty when there is none.
std::string staticChanges(const StaticReport& before, const StaticReport& after);

} // namespace gks
