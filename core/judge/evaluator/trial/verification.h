// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/trial/case_stock.h"
#include "core/judge/evaluator/trial/kernel_trial.h"
#include "core/judge/verdict.h"

#include <string>
#include <vector>

namespace gks {

// Runs the cases through one runner. Appends a fact per case and distribution to the verdict, also for the one that
// fails, and a warning for every tensor past whose end the kernel reads.
class Verification {
public:
    Verification(const ProblemPack& pack, const OutputCheck& check, CaseStock& stock, Verdict& verdict)
        : m_pack(pack), m_check(check), m_stock(stock), m_verdict(verdict) {}

    // The cases come from the stock: they have to be run in its order.
    Judged<void> run(KernelTrial& trial, const VerificationCase& one);

private:
    Judged<void> runOnce(KernelTrial& trial, const VerificationCase& one, Distribution distribution, DrawnCase drawn);

    void warn(const VerificationCase& one, const std::vector<PastRead>& reads);

    const ProblemPack& m_pack;
    const OutputCheck& m_check;
    CaseStock& m_stock;
    Verdict& m_verdict;
};

} // namespace gks
