// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/protocol.h"

#include <memory>
#include <stop_token>

namespace gks {

// The verdict of an evaluation that came to none, for a reason that is not the kernel's.
Verdict infrastructureVerdict(const EvaluationRequest& request, std::string reason, std::string next);

// One evaluator process and the conversation with it. Starts the process when it is first needed and again after it was
// lost; a lost process gives the verdict infrastructureFailed for the evaluation in flight and nothing else is lost.
// One that somebody has killed (SIGKILL) is replaced and asked again first (attempts.h).
class EvaluatorClient {
public:
    struct Options {
        std::vector<std::string> command; // default: the sibling program kernel-scientist-evaluator
        double graceSeconds = 10;         // silence beyond the request's own time-outs before the process is given up
    };
    EvaluatorClient();
    explicit EvaluatorClient(Options options);
    ~EvaluatorClient();

    // Blocks until the verdict. Events arrive on the calling thread, the last one is the VerdictEvent that is also
    // returned. A stop request cancels: the evaluator kills compiler and runner, or is killed itself when it takes too
    // long; the verdict is then infrastructureFailed with reason "cancelled".
    Verdict evaluate(const EvaluationRequest& request, const EvaluationSink& sink, const std::stop_token& stop);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace gks
