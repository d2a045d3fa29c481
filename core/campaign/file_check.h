// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/store.h"

#include <vector>

namespace gks {

// What a campaign file says twice, compared: rows with the verdicts that they were made from, verdicts and texts with
// the sources that they are of, sums with what they are of. Every verdict is read. One error for each kernel that
// differs, and for each sum; empty: all agrees.
std::vector<Error> checkFile(const CampaignStore& store, const Population& population);

} // namespace gks
