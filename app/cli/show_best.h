// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/store.h"

namespace gks::cli {

// `show --best`: the best kernel, how much faster it is than the baseline and how that is known, in a few lines or as
// JSON, without the rest of the population. The exit status.
int showBest(const CampaignStore& store, bool asJson);

} // namespace gks::cli
