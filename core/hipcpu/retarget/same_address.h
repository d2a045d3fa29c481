// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <llvm/IR/Value.h>

namespace gks::hipcpu {

// Whether two values are computed alike, or two addresses are of the same sums and products: after optimisation most
// are one value, but inline assembly adds up its addresses by itself. Whether sums wrap round is not asked.
bool isSameAddress(const llvm::Value* a, const llvm::Value* b);

} // namespace gks::hipcpu
