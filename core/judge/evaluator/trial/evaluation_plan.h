// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/trial/case_data.h"
#include "core/judge/protocol.h"
#include "core/problem/data.h"

#include <optional>
#include <string>
#include <vector>

namespace gks {

// One shape that a kernel has to get right.
struct VerificationCase {
    CaseLayout layout;
    std::string phase;      // one of phase::
    bool everything = true; // every element, or slices where that is dear
    std::vector<Distribution> distributions;
    int since = firstRules;     // verdicts of earlier rules have no such check
    std::size_t samples = 4096; // of every output that is not compared whole; of 0.1 % wrong elements all 4096 miss
                                // each with a probability of 1.7 %
};

// Which shapes are verified how, and which are measured.
struct EvaluationPlan {
    std::vector<VerificationCase> cases;
    std::vector<VerificationCase> reversed; // in a process that runs the threads of a block in reversed order
    std::vector<CaseLayout> measured;
    bool hasFreshInputs = false;     // every timed call; else windows of values that lie on the device
    std::vector<std::string> notRun; // too dear on this target: benchmark shapes, and extents that no case has
    std::size_t segmentBytes = 0;    // what the largest of them needs
    std::size_t inputBytes = 0;      // likewise of the input segment
};
// Held-out and large shapes are part of every evaluation: nothing that is right only on the shapes it was shown, or on
// small ones, is ever accepted.
// cpu: the pack's cpu shapes are verified in full and measured; `test` and `all` add the test shapes that are cheap. Of
// the held-out shapes those that are not cheap (`benchmark` and `all`: less cheap) are run in cuts, and so are the
// benchmark shapes, beside cuts with the largest extent of every dim. GPU: all test and held-out shapes in full,
// the largest benchmark shape and the measured ones by slices; quick, test and benchmark name what is measured.
// With a seed, a few shapes beside these that follow from nothing else: of the same seed always the same.
Result<EvaluationPlan> planEvaluation(const ProblemPack& pack, TargetKind target, ShapeChoice choice,
                                      const std::optional<Seed>& seed = {});
// From its hexadecimal digits, which may be anybody's; none where the text is empty.
Result<std::optional<Seed>> shapeSeedFromText(const std::string& text);

// A check that an accepted kernel has passed: what of a record may not be left out.
struct DueCheck {
    const CaseLayout* layout = nullptr; // of the plan
    std::string_view phase;
    std::optional<Distribution> distribution; // empty: one that was drawn
    int since = firstRules;
    bool ofEveryTimedCall = false; // else of one call at least
};
std::vector<DueCheck> dueChecks(const EvaluationPlan& plan);

} // namespace gks
