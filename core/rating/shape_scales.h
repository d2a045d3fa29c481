// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rating/speed_scale.h"

#include <map>

namespace gks {

// What a paired run says of one of its shapes.
struct ShapeComparison {
    std::map<std::string, std::int64_t> shape; // extents by dim
    PairedComparison pair;
    bool operator==(const ShapeComparison&) const = default;
};

// A scale of speed for each shape by itself, all with one anchor. Shapes stand in the order in which they were first
// compared, which is that of a verdict's measurements. Immutable, as the scale is.
class ShapeScales {
public:
    struct OfShape {
        std::map<std::string, std::int64_t> shape;
        SpeedScale scale;
    };

    ShapeScales(std::int64_t anchor, std::span<const ShapeComparison> all);

    // They are the scales of these: comparisons are only ever added.
    bool isOf(std::int64_t anchor, std::span<const ShapeComparison> all) const {
        return anchor == m_anchor && all.size() == m_given;
    }
    const std::vector<OfShape>& shapes() const { return m_shapes; }
    const SpeedScale* of(const std::map<std::string, std::int64_t>& shape) const; // null: never compared

private:
    std::int64_t m_anchor = 0;
    std::size_t m_given = 0; // comparisons that they were made from
    std::vector<OfShape> m_shapes;
};

} // namespace gks
