// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/measured_shapes.h"

#include <algorithm>

namespace gks {
namespace {

std::vector<ShapeSet> measuredSets(TargetKind target, ShapeChoice choice) {
    if (target == TargetKind::cpu) {
        return {ShapeSet::cpu};
    }
    switch (choice) {
    case ShapeChoice::quick:
        return {ShapeSet::quick};
    case ShapeChoice::test:
        return {ShapeSet::test};
    case ShapeChoice::benchmark:
        return {ShapeSet::benchmark};
    case ShapeChoice::all:
        return {ShapeSet::benchmark, ShapeSet::quick};
    }
    return {};
}

} // namespace

std::vector<Shape> measuredShapes(const ProblemPack& pack, TargetKind target, ShapeChoice choice) {
    std::vector<Shape> measured;
    for (const ShapeSet set : measuredSets(target, choice)) {
        for (const Shape& shape : pack.shapesOf(set)) {
            if (std::find(measured.begin(), measured.end(), shape) == measured.end()) {
                measured.push_back(shape);
            }
        }
    }
    return measured;
}

} // namespace gks
