// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/trial/output_check.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace gks {

// What was read of timed calls on a card, compared while the device goes on with the next ones: there a reference may
// take longer than the kernel, and nobody waits for it. Where it cannot follow, a lot that is drawn after the calls
// decides which of them are compared.
class ProbeQueue {
public:
    struct Outputs {
        bool ofBaseline = false;
        Tensors gathered;
    };
    struct Calls { // with the same inputs
        InputChoice choice;
        OutputCheck::Selection selection;
        std::vector<Outputs> outputs = {};
    };
    struct Failure {
        Calls calls; // their inputs and places
        bool ofBaseline = false;
        OutputCheck::Outcome outcome;
    };
    struct Report {
        int calls = 0; // of the kernel, compared
        Comparison comparison;
        std::optional<Failure> failure; // the first
    };

    // What is given here has to outlive it, and nobody else uses `standing` meanwhile.
    ProbeQueue(const OutputCheck& check, const CaseLayout& layout, const InputSource& source,
               std::shared_ptr<ExpectedOutputs>& standing);

    void add(Calls calls);
    // Compares what waits, for a while and a few calls at least.
    Result<Report> finish();

private:
    using Clock = std::chrono::steady_clock;

    void work(const std::stop_token& stop);
    std::optional<Calls> next(const std::stop_token& stop);
    Result<void> compare(Calls calls);

    const OutputCheck& m_check;
    const CaseLayout& m_layout;
    const InputSource& m_source;
    std::shared_ptr<ExpectedOutputs>& m_standing;

    std::mutex m_mutex; // guards the next two
    std::condition_variable_any m_changed;
    std::vector<Calls> m_waiting;
    std::optional<Clock::time_point> m_end; // nothing more is added; what waits has time until then

    Result<void> m_done = {}; // these two are the thread's until it has ended
    Report m_report;
    std::jthread m_thread; // last: ends before what it uses
};

} // namespace gks
