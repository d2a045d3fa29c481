// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/kernel_trial.h"
#include "core/judge/output_check.h"
#include "core/judge/verdict.h"

#include <functional>
#include <string>
#include <vector>

namespace gks {

// One shape that a kernel has to get right.
struct VerificationCase {
    CaseLayout layout;
    std::string phase;      // "test", "held-out", "reversed thread order"
    bool everything = true; // every element, or a sample
    std::vector<Distribution> distributions;
};

// Runs the cases through one runner. Appends a fact per case and distribution to `facts`, also for the one that fails.
class Verification {
public:
    using Progress = std::function<void(const std::string& detail)>;
    Verification(const ProblemPack& pack, const OutputCheck& check, Fp8Encoding encoding,
                 std::vector<VerificationFact>& facts)
        : m_pack(pack), m_check(check), m_encoding(encoding), m_facts(facts) {}

    Judged<void> run(KernelTrial& trial, const VerificationCase& one);

private:
    Judged<void> runOnce(KernelTrial& trial, const VerificationCase& one, Distribution distribution);

    const ProblemPack& m_pack;
    const OutputCheck& m_check;
    Fp8Encoding m_encoding;
    std::vector<VerificationFact>& m_facts;
};

} // namespace gks
