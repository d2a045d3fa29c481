// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/trial/race_text.h"
#include "core/judge/runner/frozen/finding_words.h"
#include "core/judge/verdict.h"

#include <span>
#include <vector>

namespace gks {

// What the process with device code has found in accesses, in the judge's own words: its numbers are looked up among
// these regions and this plan's kernels. What fits no kernel is left out; each place is told once.
std::vector<AccessFinding> accessFindingsOf(std::span<const frozen::FindingWords> findings, const RaceContext& context);
AccessFinding accessFindingOf(const frozen::RaceWords::Race& race, const RaceContext& context);

// Whether a kernel of which this is said is wrong. The rest may be right on some card.
bool decides(const AccessFinding& diagnostic);

} // namespace gks
