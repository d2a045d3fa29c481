// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/protocol.h"
#include "core/judge/verification.h"

namespace gks {

// Which shapes are verified how, and which are measured.
struct EvaluationPlan {
    std::vector<VerificationCase> cases;
    std::vector<VerificationCase> reversed; // in a process that runs the threads of a block in reversed order
    std::vector<CaseLayout> measured;
    std::size_t segmentBytes = 0; // what the largest of them needs
};
// cpu: the pack's cpu shapes are verified in full and measured; `test` and `all` add the test shapes that are cheap,
// `benchmark` and `all` the cheap held-out ones. GPU: all test shapes in full; quick, test and benchmark name what is
// measured; `benchmark` and `all` verify the held-out shapes as well.
Result<EvaluationPlan> planEvaluation(const ProblemPack& pack, TargetKind target, ShapeChoice choice);

} // namespace gks
