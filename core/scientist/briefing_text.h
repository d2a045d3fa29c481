// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scientist/scientist.h"

#include <string>
#include <vector>

// What a prompt shows of a briefing. Every text is bounded; the newest and the best are kept when something must go.
namespace gks {

inline constexpr std::size_t kernelListLimit = 300;
inline constexpr std::size_t triedListLimit = 60;
inline constexpr std::size_t tunedListLimit = 20; // structures whose numbers were searched
inline constexpr std::size_t writtenListLimit = 60;
inline constexpr std::size_t resourcesListLimit = 80; // kernels whose static report is looked up
inline constexpr std::size_t findingListLimit = 60;
inline constexpr std::size_t shownSourceLimitBytes = 60000;
inline constexpr std::size_t shownOutputLimitBytes = 8000;
inline constexpr std::size_t shownNotesLimitBytes = 20000;

// Medians in microseconds, in the order of the shapes.
std::string timesText(const Kernel& kernel);
std::string targetText(const Briefing& briefing);
std::string shapesText(const Briefing& briefing);
// One line per kernel: ID, parents, verdict, times, geometric mean and ratio to the parent with their intervals, what
// changed in its resources, how often it was tried as a parent, eligible or why not. Of the tuner's points the best of
// each structure has one, and one line stands for the others.
std::string populationText(const Briefing& briefing);
// "VGPR 64 (+12), LDS 16 KiB, 4 waves per SIMD (-2), spills 3": what a kernel needs, and how that differs from its
// parent's, of which nothing may be known.
std::string resourcesText(const StaticReport& report, const StaticReport* parent);
// Those that prompts show: not dismissed by a person; the newest when there are too many, in the order of their ids.
std::vector<const Finding*> shownFindings(const Population& population);
std::string findingsText(const Population& population);
// What models and people proposed, the newest last; then what the search over the numbers of each structure came to.
std::string triedText(const Population& population);
// Titles of what models and people wrote, the newest last, and which of them was nearly the same as an earlier one.
std::string writtenText(const Population& population);
// Reasons of verdicts may name a shape that no prompt shows.
std::string withoutHeldOutShapes(std::string reason);
// What the step that led to a kernel was and what it brought: experiment, times of parent and kernel, the writer's own
// account.
std::string analysisText(const Population& population, const Kernel& kernel);
std::string staticText(const Briefing& briefing, KernelId kernel);
// Whose code the static reports of this campaign are of: "gfx942" where kernels run on another maker's device or on the
// CPU.
std::string reportArchitecture(const Briefing& briefing);
// Bounded, and unable to close the tag that it stands in.
std::string quoted(std::string_view text, std::size_t limitBytes);
// Quoted, in one line without quotes and brackets, for a title or an attribute.
std::string labelText(std::string_view text);
// What a model that copied from a quoted text meant.
std::string unquoted(std::string text);
// One line without control characters.
std::string oneLine(std::string_view text, std::size_t limitBytes);

} // namespace gks
