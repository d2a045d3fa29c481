// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/campaign/types.h"

namespace gks {

// Settings as they are stored.
OrderedJson toJson(const CampaignSettings& settings);
// What is missing has the value that stood for it before a program could set it.
Result<CampaignSettings> settingsFromJson(const Json& json);
// Of a file in which nothing may be missing (wholeSettingsVersion): the error names the first field that is.
Result<CampaignSettings> wholeSettingsFromJson(const Json& json);

// Parts of them, as they are: nothing is brought into its range. A wrong type is a Json::exception.
OrderedJson toJson(const Budgets& budgets);
Budgets budgetsFromJson(const Json& json);
OrderedJson toJson(const Policies& policies);
Result<Policies> policiesFromJson(const Json& json);
OrderedJson toJson(const ModelChoice& choice);
ModelChoice modelFromJson(const Json& json);

} // namespace gks
