// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scientist/scientist.h"

#include <string>
#include <vector>

// What a prompt shows of a briefing. Every text is bounded; the newest and the best are kept when something must go.
namespace gks {

inline constexpr std::size_t kernelListLimit = 300;
inline constexpr std::size_t triedListLimit = 60;
inline constexpr std::size_t findingListLimit = 60;
inline constexpr std::size_t shownSourceLimitBytes = 60000;
inline constexpr std::size_t shownOutputLimitBytes = 8000;
inline constexpr std::size_t shownNotesLimitBytes = 20000;

// May become the basis of a step.
bool isEligible(const Kernel& kernel);

std::string targetText(const Briefing& briefing);
std::string shapesText(const Briefing& briefing);
// One line per kernel: ID, parents, verdict, times, geometric mean, eligible or why not.
std::string populationText(const Population& population);
// Those that prompts show: not dismissed by a person; the newest when there are too many, in the order of their ids.
std::vector<const Finding*> shownFindings(const Population& population);
std::string findingsText(const Population& population);
std::string triedText(const Population& population);
// What the step that led to a kernel was and what it brought: experiment, times of parent and kernel, the writer's own
// account.
std::string analysisText(const Population& population, const Kernel& kernel);
std::string staticText(const Briefing& briefing, KernelId kernel);
// Bounded, and unable to close the tag that it stands in.
std::string quoted(std::string_view text, std::size_t limitBytes);
// At most `limitBytes`: the beginning, then an ellipsis.
std::string shortened(std::string_view text, std::size_t limitBytes);
// Quoted, in one line without quotes and brackets, for a title or an attribute.
std::string labelText(std::string_view text);

} // namespace gks
