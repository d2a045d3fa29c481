// SPDX-License-Identifier: GPL-3.0-or-later
// What vector instructions have in common: which part of a register and which lane's a source is (op_sel, SDWA, DPP),
// and where and how a result is written.
#include "core/hipcpu/retarget/assembly/state.h"

#include <algorithm>
#include <array>
#include <llvm/IR/IntrinsicsAMDGPU.h>

namespace gks::hipcpu {
namespace {

struct DppControl {
    std::uint32_t control = 0;
    std::uint32_t rowMask = 0;
    std::uint32_t bankMask = 0;
    bool givesZero = false; // where there is no lane to read from; else such a lane keeps what it has

    bool hasMasks() const { return rowMask != 0xf || bankMask != 0xf; }
};

DppControl dppControl(const AssemblyInstruction& instruction) {
    const auto& all = instruction.immediates; // ends with control, row mask, bank mask, bound control
    if (all.size() < 4) {
        return {};
    }
    const auto at = [&](std::size_t fromEnd) { return static_cast<std::uint32_t>(all[all.size() - fromEnd]); };
    return {at(4), at(3), at(2), at(1) != 0};
}

constexpr std::uint32_t ownLane = 0xe4; // quad_perm:[0,1,2,3]

llvm::Value* updateDpp(AssemblyState& state, llvm::Value* old, llvm::Value* value, std::uint32_t control,
                       std::uint32_t rowMask, std::uint32_t bankMask, bool givesZero) {
    llvm::IRBuilder<>& ir = state.ir;
    return state.call(
        llvm::Intrinsic::amdgcn_update_dpp, {value->getType()},
        {old, value, ir.getInt32(control), ir.getInt32(rowMask), ir.getInt32(bankMask), ir.getInt1(givesZero)});
}

llvm::Value* ofOtherLane(AssemblyState& state, const AssemblyInstruction& instruction, llvm::Value* value) {
    const DppControl dpp = dppControl(instruction);
    const unsigned width = value->getType()->getIntegerBitWidth();
    llvm::Value* wide = state.bits(value, width > 32 ? 64 : 32);
    llvm::Value* zero = llvm::Constant::getNullValue(wide->getType());
    return state.bits(updateDpp(state, zero, wide, dpp.control, 0xf, 0xf, true), width);
}

// Whether the lane takes part; nullptr: each does.
llvm::Value* takesPart(AssemblyState& state, const AssemblyInstruction& instruction) {
    const DppControl dpp = dppControl(instruction);
    if (dpp.givesZero && !dpp.hasMasks()) {
        return nullptr;
    }
    llvm::Value* one = updateDpp(state, state.ir.getInt32(0), state.ir.getInt32(1),
                                 dpp.givesZero ? ownLane : dpp.control, dpp.rowMask, dpp.bankMask, false);
    return state.ir.CreateIsNotNull(one);
}

// A byte or a half of a register, widened to an integer of this width.
llvm::Value* selectedPart(AssemblyState& state, const AssemblyOperand& operand, std::string_view selection,
                          unsigned width) {
    llvm::IRBuilder<>& ir = state.ir;
    llvm::Value* word = state.readPlain(operand, ir.getInt32Ty());
    const bool isByte = selection.starts_with("BYTE_");
    if (!isByte && !selection.starts_with("WORD_")) {
        return state.bits(word, width);
    }
    const unsigned bits = isByte ? 8 : 16;
    const unsigned index = static_cast<unsigned>(selection.back() - '0');
    llvm::Value* part = ir.CreateTrunc(ir.CreateLShr(word, bits * index), ir.getIntNTy(bits));
    return operand.isSigned ? ir.CreateSExtOrTrunc(part, ir.getIntNTy(width))
                            : ir.CreateZExtOrTrunc(part, ir.getIntNTy(width));
}

llvm::Value* scaledAndClamped(AssemblyState& state, const AssemblyInstruction& instruction, llvm::Value* result) {
    llvm::IRBuilder<>& ir = state.ir;
    llvm::Type* type = result->getType();
    const std::string_view factor = instruction.value("mul");
    const std::string_view divisor = instruction.value("div");
    const bool clamps = instruction.has("clamp") && saturation(instruction.name) == 0;
    if (factor.empty() && divisor.empty() && !clamps) {
        return result;
    }
    if (!type->getScalarType()->isFloatingPointTy()) {
        state.refuse("clamps an integer, which is not supported");
        return result;
    }
    if (!factor.empty() || !divisor.empty()) {
        const double scale = factor == "2" ? 2 : factor == "4" ? 4 : 0.5;
        result = ir.CreateFMul(result, llvm::ConstantFP::get(type, scale));
    }
    if (clamps) { // to 0 ... 1, and NaN to 0
        result = ir.CreateMaxNum(result, llvm::ConstantFP::get(type, 0));
        result = ir.CreateMinNum(result, llvm::ConstantFP::get(type, 1));
    }
    return result;
}

// Where SDWA writes a byte or a half, and what becomes of the register's other bits.
llvm::Value* inPart(AssemblyState& state, const AssemblyInstruction& instruction, llvm::Value* word,
                    std::string_view selection) {
    llvm::IRBuilder<>& ir = state.ir;
    const unsigned bits = selection.starts_with("BYTE_") ? 8 : 16;
    const unsigned shift = bits * static_cast<unsigned>(selection.back() - '0');
    const std::string_view unused = instruction.value("dst_unused");
    llvm::Value* part = ir.CreateTrunc(word, ir.getIntNTy(bits));
    if (unused == "UNUSED_SEXT") { // above it; below there are zeros
        return ir.CreateShl(ir.CreateSExt(part, ir.getInt32Ty()), shift);
    }
    part = ir.CreateShl(ir.CreateZExt(part, ir.getInt32Ty()), shift);
    if (unused != "UNUSED_PRESERVE") {
        return part;
    }
    llvm::Value* old = state.read(instruction.operands[0], ir.getInt32Ty());
    return ir.CreateOr(ir.CreateAnd(old, ~(((1u << bits) - 1) << shift)), part);
}

// Those of 16 bits that leave the upper half of the destination as it is; the others make it 0.
bool keepsUpperHalf(const AssemblyInstruction& instruction) {
    static constexpr auto names = std::to_array<std::string_view>(
        {"v_fma_f16", "v_mad_u16", "v_mad_i16", "v_add_i16", "v_sub_i16", "v_max3_f16", "v_max3_i16", "v_max3_u16",
         "v_min3_f16", "v_min3_i16", "v_min3_u16", "v_med3_f16", "v_med3_i16", "v_med3_u16", "v_div_fixup_f16"});
    return std::find(names.begin(), names.end(), instruction.name) != names.end();
}

} // namespace

llvm::Intrinsic::ID saturation(std::string_view name) {
    using I = llvm::Intrinsic::IndependentIntrinsics;
    static constexpr auto saturating = std::to_array<std::pair<std::string_view, I>>({
        {"add_u32", I::uadd_sat},
        {"add_i32", I::sadd_sat},
        {"add_u16", I::uadd_sat},
        {"add_i16", I::sadd_sat},
        {"sub_u32", I::usub_sat},
        {"sub_i32", I::ssub_sat},
        {"sub_u16", I::usub_sat},
        {"sub_i16", I::ssub_sat},
    });
    name.remove_prefix(name.starts_with("v_pk_") ? 5 : name.starts_with("v_") ? 2 : 0);
    const auto* found =
        std::find_if(saturating.begin(), saturating.end(), [&](const auto& one) { return one.first == name; });
    return found == saturating.end() ? llvm::Intrinsic::not_intrinsic : llvm::Intrinsic::ID{found->second};
}

llvm::Value* readSource(AssemblyState& state, const AssemblyInstruction& instruction, unsigned i, llvm::Type* type,
                        unsigned first) {
    if (instruction.operands.size() <= first + i) {
        state.refuse("has fewer operands than expected");
        return llvm::PoisonValue::get(type);
    }
    const AssemblyOperand& operand = instruction.operands[first + i];
    const auto width = static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue());
    llvm::IRBuilder<>& ir = state.ir;
    if (instruction.isSdwa()) {
        const std::string_view selection = instruction.value(i == 0 ? "src0_sel" : "src1_sel");
        if (width <= 32 && operand.isRegister()) {
            return state.withSign(operand, ir.CreateBitCast(selectedPart(state, operand, selection, width), type));
        }
    }
    if (width == 16 && instruction.bit("op_sel", i, false)) {
        llvm::Value* word = state.readPlain(operand, ir.getInt32Ty());
        return state.withSign(operand, ir.CreateBitCast(state.bits(ir.CreateLShr(word, 16), 16), type));
    }
    if (instruction.isDpp() && i == 0) {
        llvm::Value* value = state.readPlain(operand, ir.getIntNTy(width));
        return state.withSign(operand, ir.CreateBitCast(ofOtherLane(state, instruction, value), type));
    }
    return state.read(operand, type);
}

void writeResult(AssemblyState& state, const AssemblyInstruction& instruction, llvm::Value* result) {
    llvm::IRBuilder<>& ir = state.ir;
    const AssemblyOperand& destination = instruction.operands[0];
    result = scaledAndClamped(state, instruction, result);
    const auto width = static_cast<unsigned>(result->getType()->getPrimitiveSizeInBits().getFixedValue());
    if (const std::string_view selection = instruction.isSdwa() ? instruction.value("dst_sel") : "";
        !selection.empty() && selection != "DWORD") {
        result = inPart(state, instruction, state.bits(result, 32), selection);
    } else if (width == 16) {
        const bool toUpper = instruction.bit("op_sel", static_cast<unsigned>(instruction.operands.size()) - 1, false);
        llvm::Value* half = state.bits(result, 32);
        if (toUpper || keepsUpperHalf(instruction)) {
            const bool isKnown = state.isKnown(destination.kind, destination.first, 1);
            llvm::Value* old = isKnown ? state.read(destination, ir.getInt32Ty()) : ir.getInt32(0);
            half = toUpper ? ir.CreateOr(ir.CreateAnd(old, 0xffff), ir.CreateShl(half, 16))
                           : ir.CreateOr(ir.CreateAnd(old, 0xffff0000), half);
        }
        result = half;
    }
    if (instruction.isDpp()) {
        if (llvm::Value* part = takesPart(state, instruction)) {
            result = ir.CreateSelect(part, result, state.read(destination, result->getType()));
        }
    }
    state.write(destination, result);
}

} // namespace gks::hipcpu
