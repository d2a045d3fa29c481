// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/abi.h"
#include "core/hipcpu/runtime/block_executor.h"

namespace gks::hipcpu {

// Broadcast and swap of inputs (in sparse instructions, cbsz and abid choose the index set).
struct MatrixModifiers {
    int cbsz;
    int abid;
    int blgp;
};

// The element type that cbsz or blgp of a f8f6f4 instruction names.
MatrixType mixedType(int code);

// Executes one matrix instruction for the 64 lanes of a wave: reads their a, b, c (and index), writes their c.
void computeMatrix(const MatrixInstruction& what, const MatrixOperands* lanes, MatrixModifiers modifiers);

// Where an element lies, after AMD's rule for all of them: inputs walk i, then blocks, then k over the lanes, with as
// many consecutive k per lane as are left; 32-bit outputs lie in segments of 4 rows, 64-bit outputs in segments of one.
// Operands of 8 registers, which gfx950 has, are read four registers at a time: the first four of all lanes hold the
// lower half of k, the others the upper (CDNA4 ISA, 7.1.5.1 and 7.5.1.3). Six registers, of 6-bit elements, are one
// run.
struct MatrixPlace {
    std::uint32_t lane;
    std::uint32_t element; // of the lane's operand, in elements of its type
};
// `outer` is the row of A or the column of B; for a sparse A, k counts the full matrix and the element is where its
// group starts.
MatrixPlace inputPlace(const MatrixInstruction& what, MatrixType type, std::uint32_t outer, std::uint32_t k,
                       std::uint32_t block);
MatrixPlace outputPlace(const MatrixInstruction& what, std::uint32_t row, std::uint32_t column, std::uint32_t block);

} // namespace gks::hipcpu
