// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/trial/evaluation_plan.h"
#include "core/report/claim.h"
#include "core/report/evidence.h"

namespace gks {

// Whether a verdict fits what stands beside it in a bundle: its sources, the problem pack with its shapes and checks,
// the device and the environment. Statistics are looked at elsewhere. `isClaim`: the bundle's claim rests on it.
Claims checkRecord(const EvidenceItem& item, const ProblemPack& pack, bool isClaim);

// What had to be verified and measured for this verdict. An error where its record does not say that.
Result<EvaluationPlan> evaluationPlanOf(const Verdict& verdict, const ProblemPack& pack);

} // namespace gks
