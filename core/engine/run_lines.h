// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/agent_kernel.h"
#include "core/campaign/commands.h"
#include "core/engine/engine.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

// What the process that runs a campaign and those that watch it say to one another: one JSON object a line. A request
// has a number, and its answer the same; events come in between. None of it can do more than a command of the person's
// or a proposal of an agent's.
namespace gks {

inline constexpr int runProtocol = 1;                              // to be raised when a line changes its meaning
inline constexpr std::size_t runLineBytes = std::size_t{64} << 20; // a document's passages are the longest

inline constexpr std::string_view mirrorLineStart = "{\"mirror\":"; // of a line that is the mirror's (remote_run.h)

struct RunRequest {
    std::int64_t id = 0;
    std::variant<SteeringCommand, AgentKernel> asked;
};
std::string requestLine(const RunRequest& request);

// A line that is none: the error, and the number where it has one, so that it can be answered.
struct RefusedRequest {
    std::int64_t id = 0;
    Error error;
};
tl::expected<RunRequest, RefusedRequest> requestFrom(std::string_view line);

struct RunGreeting { // the first line
    int protocol = runProtocol;
    std::string version = {}; // of the program
    bool operator==(const RunGreeting&) const = default;
};
struct RunAnswer {
    std::int64_t id = 0;
    Result<KernelId> result = 0; // of a command: 0
};
struct RunClosed {}; // the last line: the campaign was given back
using RunReply = std::variant<RunGreeting, RunAnswer, RunClosed, EngineEvent>;
std::string replyLine(const RunReply& reply);
Result<RunReply> replyFrom(std::string_view line);

} // namespace gks
