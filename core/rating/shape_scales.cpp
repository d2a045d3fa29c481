// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rating/shape_scales.h"

#include <algorithm>

// Which kernel is the fastest on one shape is the same question as which is the fastest of all, asked of the ratios of
// that shape alone: both sides of such a ratio were timed in the same run, under one load and one clock, so it holds
// where the times behind it do not. See speed_scale.cpp; the cost is that of one scale for each shape.
namespace gks {

namespace {

ShapeRuns runsOf(std::span<const ShapeComparison> all) {
    ShapeRuns runs;
    for (const ShapeComparison& one : all) {
        runs.add(one.pair, {{runs.placeOf(one.shape), one.pair.ratio, one.pair.ci95}});
    }
    return runs;
}

} // namespace

ShapeScales::ShapeScales(std::int64_t anchor, std::span<const ShapeComparison> all)
    : ShapeScales(anchor, runsOf(all)) {}

const std::vector<ShapeScales::OfShape>& ShapeScales::shapes() const {
    std::call_once(m_once, [this] {
        const std::vector<ShapeExtents> shapes = m_runs.shapes();
        for (std::uint32_t place = 0; place < shapes.size(); ++place) {
            const std::vector<PairedComparison> runs = m_runs.of(place);
            if (!runs.empty()) {
                m_shapes.push_back({shapes[place], SpeedScale(m_anchor, runs)});
            }
        }
    });
    return m_shapes;
}

const SpeedScale* ShapeScales::of(const ShapeExtents& shape) const {
    const auto found = std::ranges::find(shapes(), shape, &OfShape::shape);
    return found == shapes().end() ? nullptr : &found->scale;
}

} // namespace gks
