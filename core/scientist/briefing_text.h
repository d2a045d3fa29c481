// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scientist/scientist.h"

#include <string>
#include <vector>

// What a prompt shows of a briefing. Every text is bounded; the newest and the best are kept when something must go.
namespace gks {

inline constexpr std::size_t kernelListLimit = 300;
inline constexpr std::size_t triedListLimit = 60;
inline constexpr std::size_t setAsideListLimit = 10; // of those, what was proposed and never written
inline constexpr std::size_t avenueListLimit = 20;   // of those that no experiment took up
inline constexpr std::size_t tunedListLimit = 20;    // structures whose numbers were searched
inline constexpr std::size_t writtenListLimit = 60;
inline constexpr std::size_t resourcesListLimit = 80; // kernels whose static report is looked up
inline constexpr std::size_t findingListLimit = 60;
inline constexpr std::size_t shownSourceLimitBytes = 160000; // edits need every line: kernels of 70 KB win
inline constexpr std::size_t shownOutputLimitBytes = 8000;
inline constexpr std::size_t shownNotesLimitBytes = 20000;

// Medians in microseconds, in the order of the shapes.
std::string timesText(const Kernel& kernel);
std::string targetText(const Briefing& briefing);
std::string shapesText(const Briefing& briefing);
// A table, one line per kernel: ID, title, author, parent, state, geometric mean and gain with their intervals, times
// by shape, what its build needs on the measured device, how often it was tried as a parent, why it was made. Of the
// tuner's points the best of each structure has one, and one line stands for the others.
std::string populationText(const Briefing& briefing);
// The lessons that prompts show: not dismissed by a person; the newest when there are too many, in the order of their
// ids. What probes measured stands apart (probe_findings.h).
std::vector<const Finding*> shownFindings(const Population& population);
std::string findingsText(const Briefing& briefing);
// What models and people proposed, what was set aside among it, the newest last; then what the search over the numbers
// of each structure came to.
std::string triedText(const Briefing& briefing);
// Avenues of earlier rounds that no experiment took up: those that the person asks for, then the newest; empty without
// any.
std::string avenuesText(const Population& population);
// Titles of what models and people wrote, the newest last, and which of them was nearly the same as an earlier one.
std::string writtenText(const Population& population);
// "rewrite: ..." where the kind says more than that something is changed. With both parents where it has two.
std::string experimentText(const Experiment& experiment, std::size_t limitBytes);
// What the step that led to a kernel was and what it brought: experiment, verdict, gain, the writer's own account.
std::string analysisText(const Population& population, const Kernel& kernel);
// Bounded, and unable to close the tag that it stands in.
std::string quoted(std::string_view text, std::size_t limitBytes);
// Quoted, in one line without quotes and brackets, for a title or an attribute.
std::string labelText(std::string_view text);
// What a model that copied from a quoted text meant.
std::string unquoted(std::string text);
// One line without control characters.
std::string oneLine(std::string_view text, std::size_t limitBytes);

} // namespace gks
