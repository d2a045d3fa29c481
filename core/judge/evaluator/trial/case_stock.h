// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/trial/call_inputs.h"
#include "core/judge/evaluator/trial/evaluation_plan.h"
#include "core/judge/evaluator/trial/output_check.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

namespace gks {

// One call of verification before it is made.
struct DrawnCase {
    Seed seed = {};
    InputSource inputs;
    OutputCheck::Expected expected;
    Distribution distribution = Distribution::asDeclared;
};

// Draws inputs and computes expected outputs while compilers and kernels run: neither takes anything from the
// candidate, and nothing of it leaves the evaluator before the call. First the cases in the order of the plan, then the
// values of the measured shapes. Holds a bounded amount at a time.
class CaseStock {
public:
    // What is given here has to outlive it.
    CaseStock(const ProblemPack& pack, const OutputCheck& check, const EvaluationPlan& plan, Fp8Encoding encoding);
    ~CaseStock();

    // The next case: every distribution of every case of the plan, then of the reversed ones. Waits for it.
    Result<DrawnCase> next();
    // A call of a measured shape that is none of the plan, with a distribution by lot.
    Result<DrawnCase> unannounced(std::size_t shape) const;
    // Values for calls of a measured shape, drawn now where they are not there yet, and what the oracle has of them:
    // null where that is not there.
    struct Measured {
        InputSource source;
        std::shared_ptr<ExpectedOutputs> standing = {};
    };
    Measured measured(std::size_t shape);
    // Whether nothing is left to be made ahead.
    bool hasAll() const { return m_hasAll; }
    // From here on nothing is done ahead: returns when nothing runs any more.
    void stop();

private:
    struct Job {
        const VerificationCase* one;
        Distribution distribution;
    };

    void work(const std::stop_token& stop);
    bool waitForRoom(const std::stop_token& stop);
    Result<DrawnCase> draw(const CaseLayout& layout, Distribution distribution, bool everything, std::size_t samples,
                           std::shared_ptr<ExpectedOutputs>& standing) const;
    InputSource drawMeasured(std::size_t shape) const;

    const ProblemPack& m_pack;
    const OutputCheck& m_check;
    const EvaluationPlan& m_plan;
    Fp8Encoding m_encoding;
    std::vector<Job> m_jobs;

    std::mutex m_mutex; // guards the next four
    std::condition_variable_any m_changed;
    std::deque<Result<DrawnCase>> m_cases;
    std::map<std::size_t, Measured> m_measured;
    std::size_t m_heldBytes = 0;

    std::atomic<bool> m_hasAll = false;
    std::jthread m_thread; // last: ends before what it uses
};

} // namespace gks
