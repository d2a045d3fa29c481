// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/rating/comparison_graph.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gks {

using ShapeExtents = std::map<std::string, std::int64_t>; // by dim

// What a paired run says of one of its shapes.
struct ShapeComparison {
    ShapeExtents shape;
    PairedComparison pair;
    bool operator==(const ShapeComparison&) const = default;
};

// What all paired runs of a campaign say shape by shape, in little room: a shape, and where it was measured, stand here
// once. A copy shares what was there and may be read beside the one that grows. No more of the newest are kept than a
// scale has room for (mostComparisons).
class ShapeRuns {
public:
    struct OfShape {
        std::uint32_t shape = 0; // place in shapes()
        double ratio = 0;
        Interval ci95 = {};
    };
    // One paired run; `pair` says which kernels and where, its ratio is not read.
    void add(const PairedComparison& pair, const std::vector<OfShape>& ofShapes);
    std::uint32_t placeOf(const ShapeExtents& shape); // in the order in which they were first asked for

    std::size_t count() const { return m_count; } // runs that were ever added
    std::vector<ShapeExtents> shapes() const;
    std::vector<PairedComparison> of(std::uint32_t shape) const; // in the order in which they were added

private:
    struct Run {
        std::int64_t evaluation;
        std::int64_t kernel;
        std::int64_t other;
        std::uint32_t where;
        std::uint32_t firstOfShape; // in Block::ofShapes
    };
    struct Block {
        std::vector<Run> runs;
        std::vector<OfShape> ofShapes;
    };
    static constexpr std::size_t runsInBlock = 2048;

    std::size_t m_count = 0;
    std::vector<std::shared_ptr<Block>> m_blocks; // all but the last are full; a shared last one is copied first
    std::map<ShapeExtents, std::uint32_t> m_places;
    std::vector<std::string> m_wheres;
};

} // namespace gks
