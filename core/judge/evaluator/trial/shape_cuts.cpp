// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/shape_cuts.h"

#include "core/base/quantity.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <optional>
#include <set>

namespace gks {
namespace {

template<class Choose>
void mergeExtents(Shape& into, const std::vector<Shape>& shapes, Choose choose) {
    for (const Shape& shape : shapes) {
        if (into.empty()) {
            into = shape;
        }
        std::transform(shape.begin(), shape.end(), into.begin(), into.begin(), choose);
    }
}

constexpr auto smallerExtent = [](std::int64_t a, std::int64_t b) { return std::min(a, b); };
constexpr auto largerExtent = [](std::int64_t a, std::int64_t b) { return std::max(a, b); };

Shape smallestExtents(const ProblemPack& pack) {
    Shape smallest;
    for (const auto& [set, shapes] : pack.shapes) {
        mergeExtents(smallest, shapes, smallerExtent);
    }
    return smallest;
}

// Extents may depend on each other: "m*n/1024" need not be whole for every m and n.
bool isPossible(const ProblemPack& pack, const Shape& shape) {
    return std::all_of(pack.tensors.begin(), pack.tensors.end(),
                       [&](const TensorSpec& tensor) { return pack.elementCount(tensor, shape).has_value(); });
}

bool isWithin(const ProblemPack& pack, const Shape& shape, double flopsLimit) {
    const auto flops = pack.flops(shape);
    return flops && *flops <= flopsLimit;
}

// The smallest shape with the largest extent of a dim, up to `extent`, that keeps within the limit.
std::optional<Shape> cheapestWith(const ProblemPack& pack, const Shape& smallest, std::size_t dim, std::int64_t extent,
                                  double mostFlops) {
    std::set<std::int64_t, std::greater<>> extents;
    for (const auto& [set, shapes] : pack.shapes) {
        for (const Shape& shape : shapes) {
            extents.insert(std::min(shape[dim], extent));
        }
    }
    extents.insert(extent);
    for (const std::int64_t one : extents) {
        Shape cut = smallest;
        cut[dim] = one;
        if (isPossible(pack, cut) && isWithin(pack, cut, mostFlops)) {
            return cut;
        }
    }
    return std::nullopt;
}

std::string costText(const ProblemPack& pack, const Shape& shape, const std::string& what) {
    return fmt::format("{}: {}", what, formatFlop(pack.flops(shape).value_or(0)));
}

} // namespace

Shape largestExtents(const ProblemPack& pack) {
    Shape largest;
    mergeExtents(largest, pack.shapesOf(ShapeSet::test), largerExtent);
    mergeExtents(largest, pack.shapesOf(ShapeSet::benchmark), largerExtent);
    return largest;
}

ShapeCuts cutsOf(const ProblemPack& pack, const Shape& shape, const CutLimits& limits) {
    ShapeCuts cuts;
    const Shape smallest = smallestExtents(pack);
    if (!pack.combinesExtents) {
        if (isWithin(pack, shape, limits.mostFlops)) {
            cuts.shapes.push_back(shape);
        } else {
            cuts.notRun.push_back(costText(pack, shape, pack.shapeLabel(shape)));
        }
        return cuts;
    }
    for (std::size_t dim = 0; dim < shape.size(); ++dim) {
        std::optional<Shape> cut = cheapestWith(pack, smallest, dim, shape[dim], limits.mostFlops);
        if (!cut || (*cut)[dim] != shape[dim]) {
            Shape wanted = smallest;
            wanted[dim] = shape[dim];
            cuts.notRun.push_back(costText(pack, wanted, fmt::format("{}={}", pack.dims[dim], shape[dim])));
        }
        if (!cut) {
            continue;
        }
        for (std::size_t other = 0; other < shape.size(); ++other) {
            Shape more = *cut;
            more[other] = other == dim ? more[other] : shape[other];
            if (isPossible(pack, more) && isWithin(pack, more, limits.flops)) {
                cut = more;
            }
        }
        if (std::find(cuts.shapes.begin(), cuts.shapes.end(), *cut) == cuts.shapes.end()) {
            cuts.shapes.push_back(std::move(*cut));
        }
    }
    return cuts;
}

} // namespace gks
