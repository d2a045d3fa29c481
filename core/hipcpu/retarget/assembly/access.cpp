// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/assembly/access.h"

#include <algorithm>
#include <array>

namespace gks::hipcpu {
namespace {

using Half = AssemblyAccess::Half;

struct NamedAccess {
    std::string_view name;
    AssemblyAccess access;
};
constexpr auto namedAccesses = std::to_array<NamedAccess>({
    {"dword", {32}},
    {"dwordx2", {64}},
    {"dwordx3", {96}},
    {"dwordx4", {128}},
    {"ubyte", {8}},
    {"sbyte", {8, true}},
    {"ushort", {16}},
    {"sshort", {16, true}},
    {"byte", {8}},
    {"short", {16}},
    {"ubyte_d16", {8, false, Half::lower}},
    {"ubyte_d16_hi", {8, false, Half::upper}},
    {"sbyte_d16", {8, true, Half::lower}},
    {"sbyte_d16_hi", {8, true, Half::upper}},
    {"short_d16", {16, false, Half::lower}},
    {"short_d16_hi", {16, false, Half::upper}},
    {"byte_d16_hi", {8, false, Half::upper}},
    {"b8", {8}},
    {"b16", {16}},
    {"b32", {32}},
    {"b64", {64}},
    {"b96", {96}},
    {"b128", {128}},
    {"u8", {8}},
    {"i8", {8, true}},
    {"u16", {16}},
    {"i16", {16, true}},
    {"u8_d16", {8, false, Half::lower}},
    {"u8_d16_hi", {8, false, Half::upper}},
    {"i8_d16", {8, true, Half::lower}},
    {"i8_d16_hi", {8, true, Half::upper}},
    {"u16_d16", {16, false, Half::lower}},
    {"u16_d16_hi", {16, false, Half::upper}},
    {"b8_d16_hi", {8, false, Half::upper}},
    {"b16_d16_hi", {16, false, Half::upper}},
});

using Update = llvm::AtomicRMWInst::BinOp;
struct NamedUpdate {
    std::string_view name;
    Update update;
    char type; // i, l: integers of 32 and 64 bits; f, d: floats of those
};
constexpr auto namedUpdates = std::to_array<NamedUpdate>({
    {"swap", Update::Xchg, 'i'},
    {"swap_x2", Update::Xchg, 'l'},
    {"add", Update::Add, 'i'},
    {"add_x2", Update::Add, 'l'},
    {"sub", Update::Sub, 'i'},
    {"sub_x2", Update::Sub, 'l'},
    {"smin", Update::Min, 'i'},
    {"smin_x2", Update::Min, 'l'},
    {"smax", Update::Max, 'i'},
    {"smax_x2", Update::Max, 'l'},
    {"umin", Update::UMin, 'i'},
    {"umin_x2", Update::UMin, 'l'},
    {"umax", Update::UMax, 'i'},
    {"umax_x2", Update::UMax, 'l'},
    {"and", Update::And, 'i'},
    {"and_x2", Update::And, 'l'},
    {"or", Update::Or, 'i'},
    {"or_x2", Update::Or, 'l'},
    {"xor", Update::Xor, 'i'},
    {"xor_x2", Update::Xor, 'l'},
    {"inc", Update::UIncWrap, 'i'},
    {"inc_x2", Update::UIncWrap, 'l'},
    {"dec", Update::UDecWrap, 'i'},
    {"dec_x2", Update::UDecWrap, 'l'},
    {"add_f32", Update::FAdd, 'f'},
    {"add_f64", Update::FAdd, 'd'},
    {"min_f64", Update::FMin, 'd'},
    {"max_f64", Update::FMax, 'd'},
    {"min_f32", Update::FMin, 'f'},
    {"max_f32", Update::FMax, 'f'},
    {"add_u32", Update::Add, 'i'},
    {"add_u64", Update::Add, 'l'},
    {"sub_u32", Update::Sub, 'i'},
    {"sub_u64", Update::Sub, 'l'},
    {"min_i32", Update::Min, 'i'},
    {"min_i64", Update::Min, 'l'},
    {"max_i32", Update::Max, 'i'},
    {"max_i64", Update::Max, 'l'},
    {"min_u32", Update::UMin, 'i'},
    {"min_u64", Update::UMin, 'l'},
    {"max_u32", Update::UMax, 'i'},
    {"max_u64", Update::UMax, 'l'},
    {"and_b32", Update::And, 'i'},
    {"and_b64", Update::And, 'l'},
    {"or_b32", Update::Or, 'i'},
    {"or_b64", Update::Or, 'l'},
    {"xor_b32", Update::Xor, 'i'},
    {"xor_b64", Update::Xor, 'l'},
    {"inc_u32", Update::UIncWrap, 'i'},
    {"inc_u64", Update::UIncWrap, 'l'},
    {"dec_u32", Update::UDecWrap, 'i'},
    {"dec_u64", Update::UDecWrap, 'l'},
    {"wrxchg_b32", Update::Xchg, 'i'},
    {"wrxchg_b64", Update::Xchg, 'l'},
});

llvm::Align wordAlignment(const AssemblyAccess& access) {
    return llvm::Align(std::min(access.bits, 32U) / 8);
}

} // namespace

llvm::Type* AssemblyAccess::type(AssemblyState& state) const {
    return bits <= 32 ? static_cast<llvm::Type*>(state.ir.getIntNTy(bits))
                      : llvm::FixedVectorType::get(state.ir.getInt32Ty(), bits / 32);
}

std::optional<AssemblyAccess> accessNamed(std::string_view name) {
    const auto* found = std::find_if(namedAccesses.begin(), namedAccesses.end(),
                                     [&](const NamedAccess& one) { return one.name == name; });
    return found != namedAccesses.end() ? std::optional(found->access) : std::nullopt;
}

std::optional<AssemblyAccess> accessOf(const AssemblyInstruction& instruction, std::string_view name) {
    std::optional<AssemblyAccess> access = accessNamed(name);
    if (access) {
        access->isCoherent = instruction.has("sc0") || instruction.has("sc1");
    }
    return access;
}

void writeLoaded(AssemblyState& state, const AssemblyOperand& destination, const AssemblyAccess& access,
                 llvm::Value* loaded) {
    llvm::IRBuilder<>& ir = state.ir;
    if (access.bits >= 32) {
        state.write(destination, loaded);
        return;
    }
    const unsigned width = access.half == Half::none ? 32 : 16;
    llvm::Value* value = access.isSigned ? ir.CreateSExtOrTrunc(loaded, ir.getIntNTy(width))
                                         : ir.CreateZExtOrTrunc(loaded, ir.getIntNTy(width));
    if (access.half != Half::none) {
        llvm::Value* old = state.read(destination, ir.getInt32Ty());
        value = ir.CreateZExt(value, ir.getInt32Ty());
        value = access.half == Half::upper ? ir.CreateOr(ir.CreateAnd(old, 0xffff), ir.CreateShl(value, 16))
                                           : ir.CreateOr(ir.CreateAnd(old, 0xffff0000), value);
    }
    state.write(destination, value);
}

llvm::Value* valueToStore(AssemblyState& state, const AssemblyOperand& source, const AssemblyAccess& access) {
    if (access.half == Half::upper) {
        llvm::Value* word = state.read(source, state.ir.getInt32Ty());
        return state.bits(state.ir.CreateLShr(word, 16), access.bits);
    }
    return state.read(source, access.type(state));
}

void loadFrom(AssemblyState& state, const AssemblyOperand& destination, const AssemblyAccess& access,
              llvm::Value* pointer) {
    writeLoaded(state, destination, access,
                state.ir.CreateAlignedLoad(access.type(state), pointer, wordAlignment(access), access.isCoherent));
}

void storeTo(AssemblyState& state, const AssemblyOperand& source, const AssemblyAccess& access, llvm::Value* pointer) {
    state.ir.CreateAlignedStore(valueToStore(state, source, access), pointer, wordAlignment(access), access.isCoherent);
}

llvm::Value* atomicUpdate(AssemblyState& state, std::string_view name, llvm::Value* pointer,
                          const AssemblyOperand& operand) {
    llvm::IRBuilder<>& ir = state.ir;
    const auto* found = std::find_if(namedUpdates.begin(), namedUpdates.end(),
                                     [&](const NamedUpdate& one) { return one.name == name; });
    if (found == namedUpdates.end()) {
        return nullptr;
    }
    llvm::Type* type = found->type == 'i'   ? ir.getInt32Ty()
                       : found->type == 'l' ? ir.getInt64Ty()
                       : found->type == 'f' ? ir.getFloatTy()
                                            : ir.getDoubleTy();
    return ir.CreateAtomicRMW(found->update, pointer, state.read(operand, type),
                              llvm::Align(found->type == 'i' || found->type == 'f' ? 4 : 8),
                              llvm::AtomicOrdering::Monotonic);
}

} // namespace gks::hipcpu
