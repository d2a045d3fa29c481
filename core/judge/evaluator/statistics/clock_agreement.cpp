// SPDX-License-Identifier: GPL-3.0-or-later
// The runner's time, the keeper's or that of the device's events, lies inside the judge's, and neither clock is the
// kernel's. So what a busy machine does has one direction: the judge waits for a processor, and its time gets longer. A
// runner whose time is the longer one is wrong. One that claims less than passed shows as a long way, which a machine
// can show too: beside four busy programs on two processors it was 2 to 15 ms in three calls of four. But what decides
// is the middle of the samples, and to move that a lie has to be in most of one kernel's calls and not in the other's,
// which take turns with them. So the lower quartile of one is held against the upper quartile of the other; of a kernel
// alone, on a machine where nothing else runs, against the way of calls in which nothing runs. Neither accuses the
// kernel: its host code is in neither process, and on a GPU the device is waited for as a whole, so that no work of its
// own lies outside the events. There is no verdict. A time that the device cannot reach is another matter: see
// floorUs().
#include "core/judge/evaluator/statistics/clock_agreement.h"

#include "core/base/quantity.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace gks {
namespace {

constexpr double clockResolutionUs = 1;
constexpr double allowedWayUs = 200; // there and back, with processors asleep or a flood of lines to be read on the way
constexpr std::size_t manyCalls = 16;  // with fewer the smallest and the largest
constexpr std::size_t fewestCalls = 8; // of 8 and 8 all of one are above all of the other once in 12870 times

// The value that `share` of them do not reach.
double quantile(std::span<const double> values, double share) {
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    const double used = sorted.size() >= manyCalls ? share : share < 0.5 ? 0 : 1;
    return sorted[static_cast<std::size_t>(used * static_cast<double>(sorted.size() - 1))];
}

} // namespace

double longWayUs(std::span<const double> gapUs) {
    return gapUs.empty() ? 0 : std::max(0.0, quantile(gapUs, 0.75));
}

std::optional<std::string> clockDisagreement(std::span<const double> gapUs, std::optional<double> honestUs) {
    if (gapUs.empty()) {
        return std::nullopt;
    }
    const double least = *std::min_element(gapUs.begin(), gapUs.end());
    if (least < -clockResolutionUs) {
        return fmt::format("the runner claims that a call took {} more than passed on the judge's clock",
                           formatMicroseconds(-least));
    }
    const double way = quantile(gapUs, 0.25);
    if (gapUs.size() >= fewestCalls && honestUs && way > *honestUs + allowedWayUs) {
        return fmt::format("in most calls {} more passed on the judge's clock than the runner says; {} would be "
                           "explained",
                           formatMicroseconds(way), formatMicroseconds(*honestUs + allowedWayUs));
    }
    return std::nullopt;
}

} // namespace gks
