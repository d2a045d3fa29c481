// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/protocol.h"

#include <chrono>
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
    // How an evaluator on another machine is come to.
    struct Way {
        TargetKind target = TargetKind::cpu;               // of which it is asked for its devices
        std::optional<std::chrono::seconds> patience = {}; // for the greeting; unset: a batch system takes its time
        std::chrono::seconds silence = alivePatience;      // after which it is lost, in an evaluation
        // Before each start: puts there what has to be there. The command that is to be started here. Blocks.
        std::function<Result<std::vector<std::string>>(const std::stop_token&)> command;
        // What happened and what to do, by how that command ended and the last line that it wrote about it.
        std::function<Error(const std::string& end)> explained;
        std::function<void(const HelloEvent&)> greeted = {}; // after each start, on the calling thread
    };
    struct Options {
        std::vector<std::string> command; // default: the sibling program kernel-scientist-evaluator
        // Set: what fails on the way is DeviceTrouble::unreachable; totalSeconds is 0 where nothing was begun.
        std::optional<Way> way = {};
        double graceSeconds = 10; // silence beyond the request's own time-outs before the process is given up
    };
    EvaluatorClient();
    explicit EvaluatorClient(Options options);
    ~EvaluatorClient();

    // Blocks until the verdict. Events arrive on the calling thread, the last one is the VerdictEvent that is also
    // returned. A stop request cancels: the evaluator kills compiler and runner, or is killed itself when it takes too
    // long; the verdict is then infrastructureFailed with reason "cancelled".
    Verdict evaluate(const EvaluationRequest& request, const EvaluationSink& sink, const std::stop_token& stop);
    // Of an evaluator that is come to by a way: what it is, without an evaluation. Fails when it cannot be come to.
    Result<HelloEvent> greet(const std::stop_token& stop);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace gks
