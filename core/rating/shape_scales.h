// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rating/shape_runs.h"
#include "core/rating/speed_scale.h"

#include <mutex>

namespace gks {

// A scale of speed for each shape by itself, all with one anchor. Shapes stand in the order in which they were first
// compared, which is that of a verdict's measurements. Immutable, as the scale is; the scales are made when the first
// one is asked for, by whichever thread.
class ShapeScales {
public:
    struct OfShape {
        ShapeExtents shape;
        SpeedScale scale;
    };

    ShapeScales(std::int64_t anchor, ShapeRuns runs) : m_anchor(anchor), m_runs(std::move(runs)) {}
    ShapeScales(std::int64_t anchor, std::span<const ShapeComparison> all);

    // They are the scales of these: comparisons are only ever added.
    bool isOf(std::int64_t anchor, const ShapeRuns& runs) const {
        return anchor == m_anchor && runs.count() == m_runs.count();
    }
    const std::vector<OfShape>& shapes() const;
    const SpeedScale* of(const ShapeExtents& shape) const; // null: never compared

private:
    std::int64_t m_anchor = 0;
    ShapeRuns m_runs;
    mutable std::once_flag m_once;
    mutable std::vector<OfShape> m_shapes;
};

} // namespace gks
