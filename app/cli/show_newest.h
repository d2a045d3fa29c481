// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/store.h"

namespace gks::cli {

// A table of so many kernels is for nobody to read, and takes seconds: `show` prints the newest ones of more than this.
inline constexpr std::int64_t largeCampaignKernels = 2000;
inline constexpr int newestShown = 100;

// `show --newest N`: the last kernels, the best one and the spend, without the rest of the campaign. The exit status.
int showNewest(const CampaignStore& store, int count);

} // namespace gks::cli
