// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/problem/problem.h"

#include <string>

namespace gks {

// What a judge said, without the shapes that no prompt shows: those of the phases that are held out, and, where the
// problem is known, every one that is not among its other shapes and stands before no phase.
std::string withoutHeldOutShapes(std::string text, const ProblemPack* problem = nullptr);
// What was found in a secret shape, without the numbers that its extents follow from.
std::string withoutExtents(std::string text);

} // namespace gks
