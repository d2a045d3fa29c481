// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/shape_cuts.h"

#include "core/base/quantity.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>
#include <span>

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

// Most candidates are too dear, which one expression says; whether they are possible takes one for every extent.
bool fits(const ProblemPack& pack, const Shape& shape, double flopsLimit) {
    return isWithin(pack, shape, flopsLimit) && isPossible(pack, shape);
}

using Extents = std::set<std::int64_t, std::greater<>>;

// Those that the pack knows, up to `most`, the largest first.
Extents extentsOf(const ProblemPack& pack, std::size_t dim, std::int64_t most) {
    Extents extents;
    for (const auto& [set, shapes] : pack.shapes) {
        for (const Shape& shape : shapes) {
            if (shape[dim] <= most) {
                extents.insert(shape[dim]);
            }
        }
    }
    return extents;
}

std::int64_t commonDivisor(const Extents& extents) {
    return std::accumulate(extents.begin(), extents.end(), std::int64_t{0},
                           [](std::int64_t a, std::int64_t b) { return std::gcd(a, b); });
}

// The shape with the largest extent of a dim, of these, that keeps within the limit.
std::optional<Shape> largestWithin(const ProblemPack& pack, Shape shape, std::size_t dim, const Extents& extents,
                                   double mostFlops) {
    for (const std::int64_t one : extents) {
        shape[dim] = one;
        if (fits(pack, shape, mostFlops)) {
            return shape;
        }
    }
    return std::nullopt;
}

double fraction(SeededStream& random) {
    std::uint32_t bits = 0;
    random.fill(std::as_writable_bytes(std::span(&bits, 1)));
    return bits / 4294967296.0;
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

std::optional<Shape> drawnShape(const ProblemPack& pack, double mostFlops, SeededStream& random) {
    constexpr int tries = 200;
    std::vector<Extents> extents;
    for (std::size_t dim = 0; dim < pack.dims.size(); ++dim) {
        extents.push_back(extentsOf(pack, dim, std::numeric_limits<std::int64_t>::max()));
    }
    for (int attempt = 0; pack.combinesExtents && attempt < tries; ++attempt) {
        Shape shape(pack.dims.size());
        for (std::size_t dim = 0; dim < shape.size(); ++dim) {
            const Extents& known = extents[dim];
            const double place = fraction(random);
            if (pack.isFree[dim]) { // every order of magnitude as often as any other
                const auto low = static_cast<double>(*known.rbegin());
                const std::int64_t step = commonDivisor(known);
                shape[dim] =
                    std::llround(low * std::pow(static_cast<double>(*known.begin()) / low, place)) / step * step;
            } else {
                shape[dim] =
                    *std::next(known.begin(), static_cast<std::ptrdiff_t>(place * static_cast<double>(known.size())));
            }
        }
        if (fits(pack, shape, mostFlops)) {
            return shape;
        }
    }
    return std::nullopt;
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
        Extents extents = extentsOf(pack, dim, shape[dim]);
        extents.insert(shape[dim]);
        std::optional<Shape> cut = largestWithin(pack, smallest, dim, extents, limits.mostFlops);
        if (!cut || (*cut)[dim] != shape[dim]) {
            Shape wanted = smallest;
            wanted[dim] = shape[dim];
            cuts.notRun.push_back(costText(pack, wanted, fmt::format("{}={}", pack.dims[dim], shape[dim])));
        }
        if (!cut) {
            continue;
        }
        for (std::size_t other = 0; other < shape.size(); ++other) {
            if (other != dim) {
                cut =
                    largestWithin(pack, *cut, other, extentsOf(pack, other, shape[other]), limits.flops).value_or(*cut);
            }
        }
        if (std::find(cuts.shapes.begin(), cuts.shapes.end(), *cut) == cuts.shapes.end()) {
            cuts.shapes.push_back(std::move(*cut));
        }
    }
    return cuts;
}

} // namespace gks
