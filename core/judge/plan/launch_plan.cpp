// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/plan/launch_plan.h"

#include <limits>

namespace gks {

std::uint64_t elementsOf(const Extent& extent) {
    const std::uint64_t plane = std::uint64_t{extent[0]} * extent[1];
    if (extent[2] != 0 && plane > std::numeric_limits<std::uint64_t>::max() / extent[2]) {
        return std::numeric_limits<std::uint64_t>::max();
    }
    return plane * extent[2];
}

std::string_view name(StreamKind kind) {
    switch (kind) {
    case StreamKind::legacy:
        return "legacy";
    case StreamKind::blocking:
        return "blocking";
    case StreamKind::nonBlocking:
        return "non-blocking";
    case StreamKind::solve:
        break;
    }
    return "solve";
}

std::string_view name(const PlanAction& action) {
    static constexpr std::array<std::string_view, std::variant_size_v<PlanAction>> names = {
        "launch", "fill", "copy", "write", "copy-symbol", "write-symbol", "record", "wait"};
    return names[action.index()];
}

} // namespace gks
