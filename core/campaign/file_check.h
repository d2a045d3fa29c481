// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/store.h"

#include <functional>
#include <optional>
#include <vector>

namespace gks {

// What a campaign file says twice, compared: rows with the verdicts that they were made from, verdicts and texts with
// the sources that they are of, parents and other links with what is there, sums with what they are of, the best
// kernel with the scale. Every verdict is read, and goes to `alsoCheck` with its samples: what is wrong with it beside
// that. One error for each that differs, with the file in its place; empty: all agrees.
std::vector<Error> checkFile(const CampaignStore& store,
                             const std::function<std::optional<Error>(const Evaluation&)>& alsoCheck = {});

} // namespace gks
