// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/Support/Alignment.h>

namespace llvm {
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace gks::hipcpu {

// The type by which the source accesses memory asks for aligned addresses, a vector of floats for 16 bytes; devices do
// not. What nobody may rely on is left beside an access as a claim, until accesses are told.
void claimAlignment(llvm::Instruction& access, llvm::Value* pointer, llvm::Align alignment);

// Those of a function, taken out of it.
class AlignmentClaims {
public:
    explicit AlignmentClaims(llvm::Function& function);
    // 1: nothing is claimed.
    llvm::Align of(const llvm::Instruction& access, const llvm::Value* pointer) const;

private:
    llvm::DenseMap<std::pair<const llvm::Instruction*, const llvm::Value*>, llvm::Align> m_claims;
};

} // namespace gks::hipcpu
