// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/hash.h"
#include "core/problem/problem.h"

#include <optional>
#include <string>
#include <vector>

namespace gks {

// Stand-ins for a shape that is too dear to be run on the cpu target.
struct ShapeCuts {
    std::vector<Shape> shapes;
    std::vector<std::string> notRun; // "seq=8192: 8.59 GFLOP": what even the cheapest stand-in could not hold
};

struct CutLimits {
    double flops = 0;     // of a cut, where it is one of several
    double mostFlops = 0; // of one that alone has the extent
};

// Every extent of the shape is in a cut, with as large ones of the others, of those that the pack knows, as
// `flops` allows. Where that would take more than `mostFlops`, the next smaller extent that the pack knows is.
// Where the pack does not allow extents of different shapes together, the shape itself, up to `mostFlops`.
ShapeCuts cutsOf(const ProblemPack& pack, const Shape& shape, const CutLimits& limits);

// A shape that nobody can know before, of at most so many operations: of every dim an extent that the pack knows, or
// where the dim is free any up to the largest that has the divisors which all of these have in common. None where the
// pack does not allow extents of different shapes together or no such shape was found.
std::optional<Shape> drawnShape(const ProblemPack& pack, double mostFlops, SeededStream& random);

// The largest extent of every dim in test and benchmark shapes, together; no shape that anybody runs.
Shape largestExtents(const ProblemPack& pack);

} // namespace gks
