// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/store.h"

namespace gks::cli {

// `show --check`: what a campaign file says twice and not alike, and what its samples do not give.
int showCheck(const CampaignStore& store, bool asJson);

} // namespace gks::cli
