// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <optional>
#include <string>
#include <vector>

// Two kernels that a person wants measured side by side: what waits for a lane, and what came of it.
namespace gks {

// "00012 and 00007, all shapes"
std::string askedText(const AskedComparison& asked);
// What the purpose of the evaluation says that it was asked for; nothing: it was not.
std::optional<AskedComparison> askedOf(const Evaluation& evaluation);
bool isWaiting(const CampaignSettings& settings, const AskedComparison& asked);

// What came of one, told of `kernel`.
struct AskedResult {
    std::int64_t evaluation = 0;
    AskedComparison asked = {};
    ComparisonFact fact = {};
    bool operator==(const AskedResult&) const = default;
};
// The newest of each pair and choice of shapes, the newest first.
std::vector<AskedResult> askedResults(const std::vector<Evaluation>& evaluations);
// "faster 1.05x [1.03, 1.07] (side by side with 00007, all shapes)"
std::string askedResultText(const AskedResult& result);

} // namespace gks
