// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scientist/scientist.h"
#include "core/scientist/stage_values.h"

#include <stop_token>
#include <string>
#include <vector>

// A document in the few words that matter for the problem at hand: then every prompt can hold it.
namespace gks {

inline constexpr std::int64_t digestInputTokens = 48000; // of passages that the model is shown
inline constexpr std::size_t digestTextLimitBytes = 8000;

// What the model is told. Of a long document the passages that share most words with the problem, in their order.
StageInput digestInput(const ProblemPack* problem, const Document& document, const std::vector<Passage>& passages);

// One call to the model of the stage "digest", else to the default one; the exchange goes to the sinks. The text is for
// Document::digest. `problem` may be null.
Result<std::string> digestDocument(const CampaignSettings& settings, const ScientistSinks& sinks,
                                   const ProblemPack* problem, const Document& document,
                                   const std::vector<Passage>& passages, const std::stop_token& stop);

} // namespace gks
