// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scientist/findings.h"

#include <string>
#include <vector>

// What probes measured, as findings of their own: figures of the machine, apart from the lessons.
namespace gks {

inline constexpr std::size_t measuredListLimit = 24; // in a prompt

// The figures of this evaluation of a probe: a finding for each probe, renewed when it is measured again. Words that a
// person edited stay. Nothing when it was not measured.
std::optional<FindingChange> probeFinding(const Population& population, const Kernel& probe,
                                          const Evaluation& evaluation);
// The finding of a probe; null: it has none.
const Finding* findingOfProbe(const Population& population, KernelId probe);

// Those that prompts show: not dismissed; the newest when there are too many, in the order of their ids.
std::vector<const Finding*> shownMeasurements(const Population& population);
std::string measuredText(const Population& population, const ProblemPack* problem); // empty without any

} // namespace gks
