// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <optional>
#include <vector>

// What a campaign says of a kernel follows from its evaluations; the store and the reader of bundles draw the same
// conclusions.
namespace gks {

// Whether the verdict becomes the kernel's own. One of the infrastructure never does; a confirmation or a duel of tuned
// kernels only when the kernel fails in it.
bool isOwnVerdict(const Evaluation& evaluation);
// The run, of those of one kernel in their order, that the kernel's verdict and time are of: a later one beside the
// loop has another load. Where it has none of its own, the newest that was measured. Null: neither.
const Evaluation* ownRun(const std::vector<Evaluation>& evaluations);
// The comparison, if it speaks of the step from the parent; for a kernel without parents that is the first seed.
std::optional<ComparisonFact> stepFromParent(const Evaluation& evaluation, std::optional<KernelId> parent);
// Time before / time after, as a comparison measured it. An undecided one measured none.
std::optional<double> measuredGain(const ComparisonFact& fact);
// Baseline, scale of speed, best and speed-ups of a population whose kernels and comparisons are complete, and the
// states of experiments that follow from their drafts.
void derive(Population& population);

} // namespace gks
