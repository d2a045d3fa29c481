// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <llvm/ADT/SmallVector.h>

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace gks::hipcpu {

enum class LdsKind { load, store, update };

struct LdsAccess {
    LdsKind kind = LdsKind::load;
    const llvm::Value* pointer = nullptr;
    const llvm::Value* variable = nullptr; // nullptr: anywhere in LDS
    std::uint64_t bytes = 0;               // 0: not known
    const llvm::Value* value = nullptr;    // that is stored
};

// What an instruction does to LDS: a copy within it does two things.
llvm::SmallVector<LdsAccess, 2> accessesOf(const llvm::Instruction& instruction);

} // namespace gks::hipcpu
