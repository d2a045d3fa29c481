// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace gks::hipcpu {

// Divisions that are the same for all threads, behind a branch, become calls of a function that may be called anywhere.
// LLVM 19 divides where the first lane of a vector takes the branch, and gives all lanes that quotient for the address
// of a read, also where the first one does not take it.
void divideOutOfLine(llvm::Function& item);

} // namespace gks::hipcpu
