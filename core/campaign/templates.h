// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <string_view>
#include <vector>

namespace gks {

// Settings that go together, under a name: where a new campaign begins, in the window and with `new --template`. What
// is chosen beside it goes before it.
struct CampaignTemplate {
    std::string_view name;  // "tuner"
    std::string_view title; // "Tuner only"
    std::string_view about; // one sentence
    CampaignSettings settings;
};

const std::vector<CampaignTemplate>& campaignTemplates(); // the first is where nobody chooses
Result<CampaignTemplate> campaignTemplate(std::string_view name);

// The one that the demo is made from: the only one with a problem.
inline constexpr std::string_view demoTemplateName = "demo";

} // namespace gks
