// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace llvm {
class Function;
} // namespace llvm

namespace gks::hipcpu {

// Once everything is inlined into a thread function: the arguments of the kernel with pointers by which it may write
// memory that is no variable, a bit each. All bits where that is not known. Memory that others of its pointers lead to
// is only read.
std::uint64_t writtenArguments(const llvm::Function& thread);

} // namespace gks::hipcpu
