// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/matrix.h"

namespace gks::hipcpu {

using FastMatrix = void (*)(const MatrixInstruction& what, const MatrixOperands* lanes);

// The vector code for `what` without modifiers, for the processor at hand; null when there is none.
FastMatrix fastMatrix(const MatrixInstruction& what);

// One per processor generation, all from matrix_kernels.cpp.
namespace baseline {
FastMatrix findKernel(const MatrixInstruction& what);
}
namespace avx2 {
FastMatrix findKernel(const MatrixInstruction& what);
}
namespace avx512 {
FastMatrix findKernel(const MatrixInstruction& what);
}

} // namespace gks::hipcpu
