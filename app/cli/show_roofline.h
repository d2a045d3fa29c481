// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/store.h"

namespace gks::cli {

// `show --kernel ID --roofline`: where its peaks come from, then one line for each shape with floor, time, share and
// what binds it, as the page of the window has them. As JSON with the points of parent, best, baseline and libraries
// besides. The exit status.
int showRoofline(const CampaignStore& store, const Population& population, KernelId kernel, bool asJson);

} // namespace gks::cli
