// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "core/campaign/commands.h"
#include "core/campaign/types.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

// What `steer` can be told, and how its words become commands of the engine.
namespace gks::cli {

using Words = std::vector<std::string>;
using SteerCommands = std::vector<SteeringCommand>;

struct SteerCall {
    const Population& population;
    const Arguments& options;
    Words words; // behind the action
    const std::vector<Steering>& history;
};

struct SteerAction {
    std::string_view name;
    std::string_view arguments;
    std::string_view help;
    std::size_t least = 0; // words behind it
    std::size_t most = 0;
    std::function<Result<SteerCommands>(const SteerCall&)> read; // none: `history`, which decides nothing
};

const std::vector<SteerAction>& steerActions();

} // namespace gks::cli
