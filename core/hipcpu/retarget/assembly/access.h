// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/retarget/assembly/state.h"

#include <optional>

namespace gks::hipcpu {

// What one instruction moves between a register and memory.
struct AssemblyAccess {
    enum class Half { none, lower, upper }; // of the register, whose other half stays
    unsigned bits = 32;
    bool isSigned = false;
    Half half = Half::none;
    bool isCoherent = false; // past caches that others do not share, as an atomic or a volatile access does

    llvm::Type* type(AssemblyState& state) const; // a whole number of words: a vector of them
};

// "dwordx4", "ubyte", "short_d16_hi" of global and buffer instructions, "b128", "u8" of those on LDS.
std::optional<AssemblyAccess> accessNamed(std::string_view name);
// Likewise of an instruction on memory, with what its scope (sc0, sc1) says.
std::optional<AssemblyAccess> accessOf(const AssemblyInstruction& instruction, std::string_view name);

void writeLoaded(AssemblyState& state, const AssemblyOperand& destination, const AssemblyAccess& access,
                 llvm::Value* loaded);
llvm::Value* valueToStore(AssemblyState& state, const AssemblyOperand& source, const AssemblyAccess& access);

// At the alignment that the device asks for: a word's, or less.
void loadFrom(AssemblyState& state, const AssemblyOperand& destination, const AssemblyAccess& access,
              llvm::Value* pointer);
void storeTo(AssemblyState& state, const AssemblyOperand& source, const AssemblyAccess& access, llvm::Value* pointer);

// "add", "smax", "add_f32", ... for global memory, "add_u32", "max_i32", ... for LDS. The value that was there, or
// nullptr for a name that is none of these.
llvm::Value* atomicUpdate(AssemblyState& state, std::string_view name, llvm::Value* pointer,
                          const AssemblyOperand& operand);

} // namespace gks::hipcpu
