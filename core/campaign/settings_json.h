// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/campaign/types.h"

namespace gks {

// Settings as they are stored. Fields that are absent keep their defaults, so that a later field needs no migration.
OrderedJson toJson(const CampaignSettings& settings);
Result<CampaignSettings> settingsFromJson(const Json& json);

} // namespace gks
