// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/campaign/commands.h"

#include <string_view>

namespace gks {

// Commands as they go from one program to another: {"name": "set-banned", "kernel": 12, "banned": true}. What is
// optional and empty is left out.
std::string_view commandName(const SteeringCommand& command);
OrderedJson commandJson(const SteeringCommand& command);
// Refuses what is no command, lacks a field or has one of another type or of a name that nobody knows. Whether the
// campaign takes it is for checkCommand() alone.
Result<SteeringCommand> commandFromJson(const Json& json);

} // namespace gks
