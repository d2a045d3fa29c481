// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>

namespace gks::mcp {

// Who calls, and whether they still wait.
struct Caller {
    std::string client;   // what the client calls itself, cleaned: "claude-code"
    std::stop_token stop; // the call was cancelled, or the server ends
};

struct Tool {
    std::string name;
    std::string title;
    std::string description; // for the model that decides whether to call it
    Json input;              // JSON schema of the arguments, of the keywords that validate() knows
    bool changes = false;    // it does more than read
    // Called on a thread of its own, with arguments that fit the schema. The error is for the model to read.
    std::function<Result<std::string>(const Json& arguments, const Caller& caller)> run;
};

} // namespace gks::mcp
