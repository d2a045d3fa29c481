// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/store.h"

#include <string>

namespace gks::cli {

// `show --search`: the kernels in whose number, title, author or source the words occur, the best first and a bounded
// number of them, as a table or as JSON. The exit status.
int showSearch(const CampaignStore& store, const std::string& words, bool asJson);

} // namespace gks::cli
