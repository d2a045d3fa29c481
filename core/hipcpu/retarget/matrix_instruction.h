// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/abi.h"

#include <optional>
#include <string_view>

namespace gks::hipcpu {

// Decodes the name of a matrix intrinsic without its prefix, e.g. "mfma.f32.32x32x16.fp8.fp8",
// "mfma.f32.16x16x16bf16.1k" or "smfmac.i32.16x16x64.i8"; underscores serve as well as dots. `blocks` and `name` are
// left for the caller: the number of blocks is not part of every name. Of f8f6f4 the types are, too: a call has them.
std::optional<MatrixInstruction> decodeMatrixName(std::string_view name);

// Whether gfx950 has added the instruction of that name, which LLVM 19 does not know.
bool isMatrixOfGfx950(std::string_view name);

// Blocks of an instruction whose accumulator has this many elements per lane.
std::uint16_t matrixBlocks(const MatrixInstruction& what, unsigned accumulatorElements);

} // namespace gks::hipcpu
