// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/llm/token_estimate.h"
#include "core/scientist/scientist.h"

#include <string>
#include <string_view>
#include <vector>

// What a prompt says beside the task: what is known of the machine (prompts/knowledge) and what the person gave to
// read, as much of both as fits.
namespace gks {

// A part of prompts/knowledge/MACHINE.md, from one `## ` heading to the next.
struct KnowledgeSection {
    std::string machine;
    std::string heading;
    std::string text;    // with its heading
    bool always = false; // marked `<!-- always -->` behind the heading: goes in whatever the question is
};
Result<std::vector<KnowledgeSection>> knowledgeSections(const std::string& machine);
// What prompts/knowledge has a file for, sorted.
std::vector<std::string> knownMachines();

struct KnowledgeChoice {
    std::string text; // for the prompt; never empty, never able to close the tag that it stands in
    std::vector<Inclusion> inclusions;
};
// In this order, each whole or not at all, while there is room: that the files speak of a relative of the machine; what
// must always be said of it; sections that
// have to do with the question, up to half of the budget; digests of enabled documents; passages of them in which words
// of the question occur, the best first; the other sections of the machine.
Result<KnowledgeChoice> chooseKnowledge(const Briefing& briefing, std::string_view question, std::int64_t tokenBudget);
// For the next step from `basis`, or for `experiment` on it; both may be null. The budget is the policies'.
Result<KnowledgeChoice> knowledgeFor(const Briefing& briefing, const Kernel* basis, const Experiment* experiment);

// Words that say what a text is about, lower case, each once, in their order: no filler, no keywords of the language,
// no bare numbers.
std::vector<std::string> tellingWords(std::string_view text);
// What a step is about, in at most as many words as the index takes: the experiment's, the problem's, and the
// identifiers that the basis uses most.
std::string questionOf(const Briefing& briefing, const Kernel* basis, const Experiment* experiment);

} // namespace gks
