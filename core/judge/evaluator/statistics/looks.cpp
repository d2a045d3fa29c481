// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/statistics/looks.h"

#include <algorithm>

namespace gks {
namespace {

constexpr double secondsOfRound = 0.5; // on the cpu target, where the budget has room for so many
constexpr std::size_t mostRounds = 24;
constexpr std::size_t roundsOfPlacement = 16; // on a GPU, within one pair of processes

} // namespace

std::vector<Look> looksOf(TargetKind target, double seconds) {
    const double affordable = std::min(seconds / secondsOfRound, static_cast<double>(mostRounds));
    return planLooks(target == TargetKind::cpu ? std::max(static_cast<std::size_t>(affordable), fewestRounds)
                                               : roundsOfPlacement);
}

} // namespace gks
