// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <optional>

namespace gks::hipcpu {

// A thread's own variable in memory, and where in it an access lies. Told with numbers alone, an address would keep the
// variable from becoming values: hipcpu_private() of abi.h.
struct PrivatePlace {
    llvm::AllocaInst* variable;
    std::uint64_t variableBytes;
    llvm::Value* offset; // in bytes
};

// Nothing where the compiler sees that all of `bytes` lies inside, or does not see which variable it is. `bytes` null:
// not known. What computes the offset comes before the access.
std::optional<PrivatePlace> uncertainPlace(llvm::Instruction& access, llvm::Value& pointer, const llvm::Value* bytes);

// Takes out what is told of places that lie inside after all. Once an item function is simplified.
void dropCertainPlaces(llvm::Function& item);

} // namespace gks::hipcpu
