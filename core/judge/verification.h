// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/case_stock.h"
#include "core/judge/kernel_trial.h"
#include "core/judge/verdict.h"

#include <string>
#include <vector>

namespace gks {

// Runs the cases through one runner. Appends a fact per case and distribution to `facts`, also for the one that fails.
class Verification {
public:
    Verification(const ProblemPack& pack, const OutputCheck& check, CaseStock& stock,
                 std::vector<VerificationFact>& facts)
        : m_pack(pack), m_check(check), m_stock(stock), m_facts(facts) {}

    // The cases come from the stock: they have to be run in its order.
    Judged<void> run(KernelTrial& trial, const VerificationCase& one);

private:
    Judged<void> runOnce(KernelTrial& trial, const VerificationCase& one, Distribution distribution, DrawnCase drawn);

    const ProblemPack& m_pack;
    const OutputCheck& m_check;
    CaseStock& m_stock;
    std::vector<VerificationFact>& m_facts;
};

} // namespace gks
