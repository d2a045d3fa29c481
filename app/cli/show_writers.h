// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/campaign/types.h"

#include <string>

// What writers and kinds of experiment have brought, for `show`.
namespace gks::cli {

// Empty while no model has written.
std::string writersTable(const Population& population);
OrderedJson broughtJson(const Population& population); // "writers" and "kinds"

} // namespace gks::cli
