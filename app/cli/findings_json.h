// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/campaign/store.h"

namespace gks::cli {

// The findings of a campaign, each with the kernels that it rests on: an array, as `findings --json` has it.
Result<OrderedJson> findingsJson(const CampaignStore& store, const Population& population);

} // namespace gks::cli
