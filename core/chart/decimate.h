// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace gks {

struct ChartPoint {
    double x = 0;
    double y = 0;

    bool operator==(const ChartPoint&) const = default;
};

// At most four points for each of `columns` pixel columns of [xLow, xHigh]: first, smallest, largest and last, in order
// of x. Outliers, which matter for timings, survive; the line drawn through the result covers the same pixels as the
// line through all points. Points must be sorted by x. One neighbour on each side of the range is kept so that the line
// enters and leaves the picture.
std::vector<ChartPoint> decimated(std::span<const ChartPoint> points, double xLow, double xHigh, int columns);

// The running minimum of positive values, as a staircase over x = 1, 2, ...; zero or negative entries (nothing
// measured) carry the best so far on. Empty until the first positive value.
std::vector<ChartPoint> bestSoFar(std::span<const double> values);

// Round axis values that cover [low, high]: multiples of 1, 2 or 5 times a power of ten, about `wanted` of them
// (Heckbert, "Nice numbers for graph labels", Graphics Gems, 1990).
struct AxisTicks {
    double low = 0;
    double high = 1;
    double step = 1;
    int count() const;
};
AxisTicks niceTicks(double low, double high, int wanted);

} // namespace gks
