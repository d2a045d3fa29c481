// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/campaign/store.h"
#include "core/scientist/findings.h"
#include "core/scientist/scientist.h"

#include <vector>

// Lessons that a designer draws from what was measured.
namespace gks {

inline constexpr std::size_t lessonLimit = 3; // of one design

// `lessons` of a designer's reply that fits the schema. Each rests on kernels that were judged, or on findings, and a
// gain that it names is one that such a kernel was measured with. An error is told to the model.
Result<std::vector<Lesson>> lessonsFromReply(const Json& lessons, const Population& population);

// "F3" among the findings that prompts show; an error says that there is none.
Result<std::int64_t> findingWithLabel(const std::string& label, const Population& population);

// What a lesson adds to the findings: a new one, or other words for the one of its subject, with the evaluations of
// both. Nothing where a person dismissed that subject. A gain that was measured stays; words that a person edited too.
std::optional<FindingChange> lessonFinding(const Population& population, const Lesson& lesson,
                                           const std::vector<EvaluationOwner>& owners);

} // namespace gks
