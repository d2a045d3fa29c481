// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/store.h"

// A campaign of any size, made of one that was really run: a verdict of the fp8-gemm sample with its samples, report
// and environment, again and again with other times, and sources that descend from one another.
namespace gks {

inline constexpr double largeCampaignSourceBytes = 4400; // of a kernel, on average

Result<void> makeLargeCampaign(const std::filesystem::path& file, std::int64_t kernels);
// One more kernel, with its experiment, the prompt and the reply that it came of, and its verdict.
void appendKernel(CampaignStore& store, std::int64_t number);

} // namespace gks
