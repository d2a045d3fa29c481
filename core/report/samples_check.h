// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/store.h"

#include <optional>
#include <vector>

namespace gks {

// What a stored verdict states and its own samples do not give: samples that are missing, a time, a ratio, a verdict.
// The first of it as an error that names kernel and evaluation; empty: the samples give all of it. Its sentence is not
// looked at: an earlier version said the same in other words.
std::optional<Error> contradictsItsSamples(const Evaluation& evaluation);

// As the store's, of a kernel whose speed is stated: an error where the ratio or the time of a paired run is another
// one than its samples give. Of runs without all samples nothing is known; the check of the file names those.
Result<std::vector<Evaluation>> provenEvaluations(const CampaignStore& store, KernelId kernel);

} // namespace gks
