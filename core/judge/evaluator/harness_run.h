// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/protocol.h"

#include <stop_token>

namespace gks {

// A kernel by the commands of a command pack: each behind the wall, with the pack read-only, a scratch folder of its
// own and no network. With a baseline both are built, and runs of the measure command take turns, A B B A: one run is
// one sample, the median of what it prints. The verdict says whose it is: the harness draws the inputs, holds what is
// right and has the clock, and the kernel runs in its processes. None of what keeps our own verdicts honest is there.
Verdict evaluateByHarness(const EvaluationRequest& request, const EvaluationSink& sink, const std::stop_token& stop);

} // namespace gks
