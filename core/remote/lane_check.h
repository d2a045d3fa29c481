// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/lane_spec.h"
#include "core/judge/protocol.h"
#include "core/remote/remote_way.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gks {

// What is at the end of a lane.
struct LaneFound {
    LaneSpec lane;
    HelloEvent hello; // of a device of this machine: without version and machine
    std::optional<Error> error;

    std::string device() const; // "AMD Instinct MI300X (gfx942)"; empty: none
    std::string text() const;   // "ready: AMD Instinct MI300X (gfx942) on node1", or why not and what to do
};

// Comes to each lane as a run would, all at the same time, and evaluates nothing. Of a folder nothing is known before a
// result is back. `tell` hears of the way, on any thread, one at a time.
std::vector<LaneFound> checkLanes(const std::vector<LaneSpec>& lanes,
                                  const std::function<void(const LaneSpec&, const std::string&)>& tell,
                                  const std::stop_token& stop);

} // namespace gks
