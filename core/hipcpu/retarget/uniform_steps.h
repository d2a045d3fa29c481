// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace gks::hipcpu {

// What grows by the same for all threads from turn to turn of a loop that all go through together becomes what it was
// before the loop, and a sum that is the same for all: how the threads' values are related is seen in every turn, and
// none of them has to be kept. In an item function (item_function.h), once it is simplified.
void stepTogether(llvm::Function& item);

} // namespace gks::hipcpu
