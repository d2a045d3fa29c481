// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/store.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace gks {

// Where a campaign is forked.
struct ForkPoint {
    KernelId kernel = 0;             // the baseline of the new one
    std::vector<KernelId> with = {}; // its further seeds, in this order
};

// A new campaign in a new file, which begins at a kernel of this one: the same problem, target and settings, no budget
// spent and none set, nothing pinned and nothing that waits. Standing findings come along, with the words where they
// are from, and documents. What was measured does not: it is measured again beside the new baseline.
Result<std::unique_ptr<CampaignStore>> forkCampaign(const CampaignStore& from, const ForkPoint& at,
                                                    const std::filesystem::path& file);

} // namespace gks
