// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rating/shape_scales.h"

#include <algorithm>

// Which kernel is the fastest on one shape is the same question as which is the fastest of all, asked of the ratios of
// that shape alone: both sides of such a ratio were timed in the same run, under one load and one clock, so it holds
// where the times behind it do not. See speed_scale.cpp; the cost is that of one scale for each shape.
namespace gks {

ShapeScales::ShapeScales(std::int64_t anchor, std::span<const ShapeComparison> all)
    : m_anchor(anchor), m_given(all.size()) {
    std::vector<const std::map<std::string, std::int64_t>*> order;
    std::map<std::map<std::string, std::int64_t>, std::vector<PairedComparison>> byShape;
    for (const ShapeComparison& one : all) {
        const auto [place, isNew] = byShape.try_emplace(one.shape);
        if (isNew) {
            order.push_back(&place->first);
        }
        place->second.push_back(one.pair);
    }
    for (const auto* shape : order) {
        m_shapes.push_back({*shape, SpeedScale(anchor, byShape.at(*shape))});
    }
}

const SpeedScale* ShapeScales::of(const std::map<std::string, std::int64_t>& shape) const {
    const auto found = std::ranges::find(m_shapes, shape, &OfShape::shape);
    return found == m_shapes.end() ? nullptr : &found->scale;
}

} // namespace gks
