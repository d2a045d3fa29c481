// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/campaign/comparison_table.h"
#include "core/campaign/store.h"

namespace gks::cli {

class Arguments;

// `show --compare ID,ID[,...]`: the kernels beside one another; with --unified the text that turns the first of two
// into the second.
int showComparison(const CampaignStore& store, const Population& population, const Arguments& arguments);

// These kernels beside the first of them.
Result<ComparisonTable> comparisonOf(const CampaignStore& store, const Population& population,
                                     const std::vector<KernelId>& kernels);
OrderedJson comparisonJson(const ComparisonTable& table);

} // namespace gks::cli
