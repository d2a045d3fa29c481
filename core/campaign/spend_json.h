// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/campaign/types.h"

namespace gks {

// As `show --json` and evidence bundles give it.
OrderedJson toJson(const Spend& spend);

} // namespace gks
