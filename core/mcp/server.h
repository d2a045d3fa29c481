// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mcp/session.h"

#include <functional>
#include <stop_token>
#include <string>

namespace gks::mcp {

inline constexpr std::size_t mostCalls = 16; // at the same time

struct Streams {
    int input = 0;                                  // lines of the client
    std::function<void(const std::string&)> output; // a line in ASCII, without its end; one at a time, of any thread
};

// Answers until the input ends, cannot be read or a stop is requested; then every call in flight is cancelled and
// waited for. A call runs on a thread of its own: pings, cancellations and short calls do not wait for long ones. What
// was cancelled is not answered.
void serve(Session& session, const Streams& streams, const std::stop_token& stop);

} // namespace gks::mcp
