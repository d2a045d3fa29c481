// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace gks::hipcpu {

// A vectoriser puts neighbouring threads into the lanes of a vector register, and takes no vectors (float2, __half2)
// for that. Makes a simplified item function ready for scalarise(): what is only copied becomes an integer of as many
// bits, and vectors that become integers are put together of their elements. Whether there is something to take apart;
// not in kernels with matrix instructions, whose operands lie in memory as vectors.
bool prepareVectors(llvm::Function& item);

} // namespace gks::hipcpu
