// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <optional>
#include <string>

// What a run ends at: budgets that are spent, a goal that is reached, experiments that bring nothing any more.
namespace gks {

// What a run may measure at its end: who is the best, the first three beside each other, and then that one beside the
// baseline; a best that fails its confirmation makes room for the next. No budget of evaluations pays for these.
inline constexpr int rankingLimit = 3; // pairs
inline constexpr int confirmationLimit = rankingLimit + 3;

// How long a run has taken, those before it too, and its newest evaluation; 0: none ended.
struct RunTimes {
    double wallSeconds = 0;
    double evaluationSeconds = 0;
};

bool isTimeOver(const Population& population, double wallSeconds);
// Why no more is started, in a few words; nothing while there is no reason. Of minutes and device time so much is kept
// as the last measurements of the best will take, at most a quarter of the budget.
std::optional<std::string> spentBudget(const Population& population, const RunTimes& times);
// The same for the goal, and for experiments that bring nothing. The last measurements may take it back.
std::optional<std::string> reasonOfBest(const Population& population);

} // namespace gks
