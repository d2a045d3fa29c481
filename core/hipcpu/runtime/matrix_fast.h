// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/matrix.h"

namespace gks::hipcpu {

// Executes `what`, without modifiers, with vector code for the processor at hand. Returns false when there is no fast path.
bool computeMatrixFast(const MatrixInstruction& what, const MatrixOperands* const* lanes);

} // namespace gks::hipcpu
