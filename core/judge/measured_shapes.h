// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/protocol.h"
#include "core/problem/problem.h"

namespace gks {

// The shapes that are measured, in the order of a verdict's measurements and of Kernel::shapeMediansUs. On the cpu
// target the pack's cpu shapes whatever the choice is; on a GPU those that the choice names, `all` those of benchmark
// and then the quick ones that are not among them.
std::vector<Shape> measuredShapes(const ProblemPack& pack, TargetKind target, ShapeChoice choice);

} // namespace gks
