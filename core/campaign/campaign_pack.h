// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "core/problem/problem.h"

#include <string_view>

// The pack of a campaign as it lies on disk now, which is named by its folder: it may be gone, or another one.
namespace gks {

// Of the judge that the campaign was made with: what is said of its verdicts never follows from the folder.
Result<ProblemPack> packOfCampaign(const CampaignSettings& settings);

// Of verdicts that are not those of the campaign's judge. theirs: "" is our own judge.
Error ofOtherJudge(std::string_view what, std::string_view theirs, bool campaignIsOfHarness, std::string where);

} // namespace gks
