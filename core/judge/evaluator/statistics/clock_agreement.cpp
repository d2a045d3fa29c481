// SPDX-License-Identifier: GPL-3.0-or-later
// The keeper's time lies inside the judge's, and both read the same clock of the system. So what a busy machine does
// has one direction: either side waits for a processor, and the judge's time gets longer. A keeper whose time is the
// longer one is wrong. A keeper that claims less than passed shows as a long way, and that a machine can show too, now
// and then; but what decides is the middle of the samples, and to move that a lie has to be in most calls. So the lower
// quartile is held against the way of calls in which nothing runs. Those too come from the keeper: their word counts up
// to a limit. Neither accuses the kernel, which cannot reach the keeper: there is no verdict.
#include "core/judge/evaluator/statistics/clock_agreement.h"

#include "core/base/quantity.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace gks {
namespace {

constexpr double resolutionUs = 1;
constexpr double wayUs = 200; // there and back, with both processors asleep
constexpr double timesEmptyWay = 3;
constexpr double longestWayUs = 5000; // no machine is so busy in three calls of four that a time from it says anything
constexpr std::size_t manyCalls = 16; // with fewer the smallest

} // namespace

std::optional<std::string> clockDisagreement(std::span<const double> gapUs, double emptyWayUs) {
    if (gapUs.empty()) {
        return std::nullopt;
    }
    std::vector<double> gaps(gapUs.begin(), gapUs.end());
    std::sort(gaps.begin(), gaps.end());
    if (gaps.front() < -resolutionUs) {
        return fmt::format("the runner claims that a call took {} more than passed on the judge's clock",
                           formatMicroseconds(-gaps.front()));
    }
    const double way = gaps[gaps.size() < manyCalls ? 0 : gaps.size() / 4];
    if (way > std::min(wayUs + timesEmptyWay * emptyWayUs, longestWayUs)) {
        return fmt::format("in most calls {} more passed on the judge's clock than the runner says, {} around a call "
                           "that does nothing",
                           formatMicroseconds(way), formatMicroseconds(emptyWayUs));
    }
    return std::nullopt;
}

} // namespace gks
