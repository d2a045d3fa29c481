// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/decimate.h"

#include <algorithm>
#include <cmath>

namespace gks {
namespace {

bool byX(const ChartPoint& a, const ChartPoint& b) {
    return a.x < b.x;
}

// Appends first, smallest, largest and last of one pixel column, each once and in order.
void appendColumn(std::span<const ChartPoint> column, std::vector<ChartPoint>& out) {
    const auto byY = [](const ChartPoint& a, const ChartPoint& b) { return a.y < b.y; };
    const auto [smallest, largest] = std::minmax_element(column.begin(), column.end(), byY);
    std::vector<std::ptrdiff_t> kept = {0, smallest - column.begin(), largest - column.begin(),
                                        static_cast<std::ptrdiff_t>(column.size()) - 1};
    std::sort(kept.begin(), kept.end());
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    for (const auto index : kept) {
        out.push_back(column[static_cast<std::size_t>(index)]);
    }
}

} // namespace

std::vector<ChartPoint> decimated(std::span<const ChartPoint> points, double xLow, double xHigh, int columns) {
    if (points.empty() || columns <= 0 || !(xLow <= xHigh)) {
        return {};
    }
    auto first = std::lower_bound(points.begin(), points.end(), ChartPoint{xLow, 0}, byX);
    auto last = std::upper_bound(points.begin(), points.end(), ChartPoint{xHigh, 0}, byX);
    std::vector<ChartPoint> out;
    if (first != points.begin()) {
        out.push_back(*(first - 1));
    }
    const double width = (xHigh - xLow) / columns;
    while (first != last) {
        const double position = width > 0 ? std::floor((first->x - xLow) / width) : 0;
        const double columnEnd = xLow + (position + 1) * width;
        auto end =
            width > 0 && position < columns - 1 ? std::lower_bound(first, last, ChartPoint{columnEnd, 0}, byX) : last;
        end = std::max(end, first + 1); // rounding must not stall the walk
        appendColumn(std::span(first, end), out);
        first = end;
    }
    if (last != points.end()) {
        out.push_back(*last);
    }
    return out;
}

std::vector<ChartPoint> bestSoFar(std::span<const double> values) {
    std::vector<ChartPoint> out;
    double best = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double x = static_cast<double>(i + 1);
        const bool better = values[i] > 0 && (best <= 0 || values[i] < best);
        if (better) {
            if (best > 0) {
                out.push_back({x, best}); // the vertical part of the stair
            }
            best = values[i];
        }
        if (best > 0) {
            out.push_back({x, best});
        }
    }
    return out;
}

int AxisTicks::count() const {
    return static_cast<int>(std::lround((high - low) / step)) + 1;
}

AxisTicks niceTicks(double low, double high, int wanted) {
    if (!std::isfinite(low) || !std::isfinite(high)) {
        return {};
    }
    if (low > high) {
        std::swap(low, high);
    }
    if (low == high) {
        const double margin = low == 0 ? 1 : std::abs(low) * 0.1;
        low -= margin;
        high += margin;
    }
    const double rough = (high - low) / std::max(1, wanted - 1);
    const double magnitude = std::pow(10.0, std::floor(std::log10(rough)));
    const double fraction = rough / magnitude;
    const double nice = fraction < 1.5 ? 1 : fraction < 3 ? 2 : fraction < 7 ? 5 : 10;
    AxisTicks ticks;
    ticks.step = nice * magnitude;
    ticks.low = std::floor(low / ticks.step) * ticks.step;
    ticks.high = std::ceil(high / ticks.step) * ticks.step;
    return ticks;
}

} // namespace gks
