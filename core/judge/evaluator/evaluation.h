// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/prepared_cases.h"
#include "core/judge/evaluator/session/runner_pool.h"
#include "core/judge/evaluator/trial/reference.h"
#include "core/judge/protocol.h"

#include <stop_token>

namespace gks {

// One evaluation from request to verdict: build, verify, measure, compare. Runs in the evaluator's process; the calling
// thread starts the runners and must stay for the whole of it. `reference` is that of the evaluation before, null at
// first: the next one of the same pack asks the same process. `next` is planned here for the one after it, and begun by
// whoever has time. `sink` gets every event but the verdict and is called from several threads.
Verdict evaluate(const EvaluationRequest& request, RunnerPool& runners, std::shared_ptr<const Reference>& reference,
                 std::unique_ptr<PreparedCases>& next, const EvaluationSink& sink, const std::stop_token& stop);

} // namespace gks
