// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/text_frames.h"
#include "core/campaign/types.h"

#include <string>
#include <string_view>

// How an evaluation lies in the campaign file: its verdict as a frame by itself, and beside the row what a population
// is read from.
namespace gks {

// Where an error is: "kernel 00002, evaluation 7".
std::string evaluationPlace(KernelId kernel, std::int64_t evaluation);

Result<void> writeVerdictText(Database& database, TextFrames& frames, std::int64_t evaluation, std::string_view text);
// The columns that say what the verdict says.
Result<void> writeFacts(Database& database, std::int64_t evaluation, const Verdict& verdict);

// Of every evaluation of a kernel, newest last: without samples and plans.
Result<std::vector<Evaluation>> readEvaluations(const Database& database, const TextFrames& frames, std::int64_t schema,
                                                KernelId kernel);
// A budget of evaluations paid for it.
bool isPaidEvaluation(const Evaluation& evaluation);
// See CampaignStore.
Result<void> checkSummaryRows(const Database& database, KernelId first);
Result<std::optional<Verdict>> readNewestVerdict(const Database& database, const TextFrames& frames,
                                                 std::int64_t schema, KernelId kernel);

// What tells the prompts, and the replies, of a stage from others: those of one stage resemble each other.
std::string promptKind(std::string_view stage);
std::string replyKind(std::string_view stage);
std::string inclusionsKind(std::string_view stage); // likewise what was put into them

} // namespace gks
