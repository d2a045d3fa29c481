// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/engine/engine.h"

#include <charconv>
#include <fmt/format.h>

namespace gks {

std::string LaneSpec::label() const {
    return fmt::format("{}:{}", name(target), device);
}

Result<std::vector<LaneSpec>> parseLanes(std::string_view text) {
    std::vector<LaneSpec> lanes;
    for (const std::string& part : split(text, ',')) {
        const std::string_view spec = trimmed(part);
        const std::size_t colon = spec.find(':');
        LaneSpec lane;
        GKS_TRY_ASSIGN(lane.target, targetFromName(spec.substr(0, colon)));
        if (colon != std::string_view::npos) {
            const char* end = spec.data() + spec.size();
            const auto [stopped, failed] = std::from_chars(spec.data() + colon + 1, end, lane.device);
            if (failed != std::errc() || stopped != end || lane.device < 0) {
                return usageError(fmt::format("\"{}\" is no lane", spec), "--lanes",
                                  "Write target:device, for example cpu:0 or amd:0,amd:1");
            }
        }
        lanes.push_back(lane);
    }
    return lanes;
}

} // namespace gks
