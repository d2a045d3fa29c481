// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace gks::hipcpu {

// The first place where the lanes of a wave have to meet because of memory that other blocks see; nullptr: none. See
// publications.cpp.
llvm::Instruction* nextPublication(llvm::Function& function);

} // namespace gks::hipcpu
