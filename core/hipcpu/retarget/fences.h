// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace gks::hipcpu {

// Removes fences that a barrier makes superfluous, and makes atomics on LDS ordinary: only the threads of one block see
// it, and they share a thread of the operating system.
void relaxFences(llvm::Function& function);

} // namespace gks::hipcpu
