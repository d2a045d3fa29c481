// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace gks::hipcpu {

// Whether an intrinsic of no processor computes a value or touches memory and does nothing else. An assembly label can
// name every intrinsic of LLVM, also those that jump: to an address in memory, out of a coroutine, into another stack.
bool isPortable(const llvm::Function& intrinsic);

} // namespace gks::hipcpu
