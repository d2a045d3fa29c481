// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions on LDS. Their addresses are offsets of 32 bits.
#include "core/hipcpu/retarget/assembly/access.h"
#include "core/hipcpu/retarget/flatten.h"

namespace gks::hipcpu {
namespace {

bool takePrefix(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) {
        return false;
    }
    text.remove_prefix(prefix.size());
    return true;
}

llvm::Value* ldsPointer(AssemblyState& state, const AssemblyOperand& address, llvm::Value* offset) {
    llvm::Value* place = state.ir.CreateAdd(state.read(address, state.ir.getInt32Ty()), offset);
    return state.ir.CreateIntToPtr(place, state.ir.getPtrTy(ldsAddressSpace));
}

// The offset of one half of a read2 or write2, in elements or in 64 of them.
llvm::Value* elementOffset(AssemblyState& state, const AssemblyInstruction& instruction, std::string_view modifier,
                           unsigned bytes) {
    return state.ir.CreateMul(state.offset(instruction, modifier), state.ir.getInt32(bytes));
}

// ds_read2_b64 v[0:3], v4 offset0:1 offset1:2 and ds_write2_b32 v4, v0, v1
bool translateTwo(AssemblyState& state, const AssemblyInstruction& instruction, std::string_view name, bool reads) {
    const unsigned rows = takePrefix(name, "st64_") ? 64 : takePrefix(name, "_") ? 1 : 0;
    const auto access = accessNamed(name);
    if (rows == 0 || !access || instruction.operands.size() != (reads ? 2U : 3U)) {
        return false;
    }
    const unsigned bytes = access->bits / 8 * rows;
    const AssemblyOperand& address = instruction.operands[reads ? 1 : 0];
    llvm::Value* first = ldsPointer(state, address, elementOffset(state, instruction, "offset0", bytes));
    llvm::Value* second = ldsPointer(state, address, elementOffset(state, instruction, "offset1", bytes));
    if (reads) { // the second's registers follow; both are read before one is written
        llvm::Value* lower = state.ir.CreateAlignedLoad(access->type(state), first, llvm::Align(4));
        llvm::Value* upper = state.ir.CreateAlignedLoad(access->type(state), second, llvm::Align(4));
        AssemblyOperand destination = instruction.operands[0];
        state.write(destination, lower);
        destination.first += access->bits / 32;
        state.write(destination, upper);
    } else {
        storeTo(state, instruction.operands[1], *access, first);
        storeTo(state, instruction.operands[2], *access, second);
    }
    return true;
}

bool translateUpdate(AssemblyState& state, const AssemblyInstruction& instruction, std::string name) {
    const std::size_t at = name.find("_rtn_"); // add_rtn_u32: the old value is wanted
    const bool returns = at != std::string::npos;
    if (returns) {
        name.erase(at, std::string_view("_rtn").size());
    }
    const unsigned first = returns ? 1 : 0;
    const bool compares = name == "cmpst_b32" || name == "cmpst_b64";
    if (instruction.operands.size() != first + (compares ? 3 : 2)) {
        return false;
    }
    llvm::IRBuilder<>& ir = state.ir;
    llvm::Value* pointer = ldsPointer(state, instruction.operands[first], state.offset(instruction));
    llvm::Value* old = nullptr;
    if (compares) { // what is expected, then the new value
        llvm::Type* type = name.ends_with("64") ? ir.getInt64Ty() : ir.getInt32Ty();
        old = ir.CreateExtractValue(ir.CreateAtomicCmpXchg(pointer, state.read(instruction.operands[first + 1], type),
                                                           state.read(instruction.operands[first + 2], type),
                                                           llvm::MaybeAlign(), llvm::AtomicOrdering::Monotonic,
                                                           llvm::AtomicOrdering::Monotonic),
                                    0);
    } else {
        old = atomicUpdate(state, name, pointer, instruction.operands[first + 1]);
    }
    if (old != nullptr && returns) {
        state.write(instruction.operands[0], old);
    }
    return old != nullptr;
}

} // namespace

bool translateLds(AssemblyState& state, const AssemblyInstruction& instruction) {
    std::string_view name = instruction.name;
    if (!takePrefix(name, "ds_") || instruction.has("gds")) {
        return false;
    }
    const auto& operands = instruction.operands;
    if (takePrefix(name, "read2")) {
        return translateTwo(state, instruction, name, true);
    }
    if (takePrefix(name, "write2")) {
        return translateTwo(state, instruction, name, false);
    }
    const bool reads = takePrefix(name, "read_");
    if (reads || takePrefix(name, "write_")) {
        const auto access = accessNamed(name);
        if (!access || operands.size() != 2) {
            return false;
        }
        llvm::Value* pointer = ldsPointer(state, operands[reads ? 1 : 0], state.offset(instruction));
        if (reads) {
            loadFrom(state, operands[0], *access, pointer);
        } else {
            storeTo(state, operands[1], *access, pointer);
        }
        return true;
    }
    return translateUpdate(state, instruction, std::string(name));
}

} // namespace gks::hipcpu
