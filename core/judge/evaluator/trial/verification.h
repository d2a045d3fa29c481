// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/trial/case_stock.h"
#include "core/judge/evaluator/trial/kernel_trial.h"
#include "core/judge/evaluator/trial/tolerance_misses.h"
#include "core/judge/verdict.h"

#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace gks {

// Runs the cases of a plan. Appends a fact per case and distribution to the verdict, up to the one that fails, and a
// warning for every tensor past whose end the kernel reads: in the order of the plan, however many ran at a time.
class Verification {
public:
    struct Trials { // all loaded
        std::vector<KernelTrial*> forward;
        KernelTrial* reversed = nullptr;
    };
    struct Tell { // never two at a time
        std::function<void(double share, const VerificationCase& one)> begun;
        std::function<void(const VerificationCase& one, const std::string& looked)> races;
        std::function<void(const std::string& text)> printed = {}; // by the checked run; empty: nobody asks
    };
    // With a place for misses the tolerance is no reason to end: of an anchor, in one process.
    Verification(const ProblemPack& pack, const OutputCheck& check, CaseStock& stock, Verdict& verdict,
                 ToleranceMisses* misses = nullptr)
        : m_pack(pack), m_check(check), m_stock(stock), m_verdict(verdict), m_misses(misses) {}

    // The stock has to be that of the plan. Each forward trial takes the next case as soon as it has done with one;
    // whichever finds none takes the reversed ones.
    Judged<void> run(const EvaluationPlan& plan, const Trials& trials, const Tell& tell);
    const KernelTrial* failedIn() const { return m_failedIn; }

private:
    struct Case {
        const VerificationCase* one = nullptr;
        bool isReversed = false;
        const KernelTrial* ranIn = nullptr;
        std::vector<DrawnCase> draws;
        std::vector<PastRead> reads;
        std::vector<VerificationFact> facts;
        std::vector<AccessFinding> diagnostics;
        Judged<void> outcome = {};
    };

    void work(KernelTrial& forward, KernelTrial* reversed, const Tell& tell);
    Case* take(bool mayReverse, const Tell& tell);
    Judged<void> runCase(KernelTrial& trial, Case& of) const;
    Judged<void> runOnce(KernelTrial& trial, Case& of, DrawnCase drawn) const;
    static void takeDiagnostics(const KernelTrial& trial, Case& of);
    void add(const std::vector<AccessFinding>& diagnostics);
    void diagnose(const EvaluationPlan& plan, KernelTrial& checked, Refusal& refusal);
    void warn(const VerificationCase& one, const std::vector<PastRead>& reads);

    const ProblemPack& m_pack;
    const OutputCheck& m_check;
    CaseStock& m_stock;
    Verdict& m_verdict;
    ToleranceMisses* m_misses;
    std::deque<Case> m_cases;
    const KernelTrial* m_failedIn = nullptr;

    std::mutex m_mutex; // guards the next three and what is told
    std::size_t m_next = 0;
    bool m_isReversedBusy = false;
    bool m_hasFailed = false;
};

} // namespace gks
