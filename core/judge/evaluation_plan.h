// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/case_data.h"
#include "core/judge/protocol.h"
#include "core/problem/data.h"

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

// Which shapes are verified how, and which are measured.
struct EvaluationPlan {
    std::vector<VerificationCase> cases;
    std::vector<VerificationCase> reversed; // in a process that runs the threads of a block in reversed order
    std::vector<CaseLayout> measured;
    std::size_t segmentBytes = 0; // what the largest of them needs
    std::size_t inputBytes = 0;   // likewise of the input segment
};
// Held-out shapes are part of every evaluation: nothing that knows only the shapes it was shown is ever accepted.
// cpu: the pack's cpu shapes are verified in full and measured, with the cheap ones of the held-out shapes; `test` and
// `all` add the test shapes that are cheap, `benchmark` and `all` less cheap held-out ones. GPU: all test and held-out
// shapes in full; quick, test and benchmark name what is measured.
Result<EvaluationPlan> planEvaluation(const ProblemPack& pack, TargetKind target, ShapeChoice choice);

} // namespace gks
