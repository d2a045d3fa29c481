// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/statistics/statistics.h"
#include "core/judge/protocol.h"

#include <optional>
#include <string>

namespace gks {

// How the times of a target are taken, as verdicts name it; `threads` execute kernels where that is processors.
std::string clockName(TargetKind target, int threads);

// What a measurement comes to: kind, comparison, reason and next step of the verdict, from its times, the seconds that
// they took, its rules, and the ratio to the baseline's times.
void conclude(Verdict& verdict, const EvaluationRequest& request, const std::optional<RatioEstimate>& ratio,
              double errorShare);

// How much longer an undecided comparison would have to be measured at its noise; see roundsToDecide.
std::optional<double> secondsToDecide(const Verdict& verdict);

} // namespace gks
