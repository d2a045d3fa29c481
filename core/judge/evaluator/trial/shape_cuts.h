// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/problem/problem.h"

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

// Every extent of the shape is in a cut, with as many of the others as `flops` allows and the smallest that the pack
// knows elsewhere. Where that would take more than `mostFlops`, the next smaller extent that the pack knows is.
// Where the pack does not allow extents of different shapes together, the shape itself, up to `mostFlops`.
ShapeCuts cutsOf(const ProblemPack& pack, const Shape& shape, const CutLimits& limits);

// The largest extent of every dim in test and benchmark shapes, together; no shape that anybody runs.
Shape largestExtents(const ProblemPack& pack);

} // namespace gks
