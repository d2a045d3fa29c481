// SPDX-License-Identifier: GPL-3.0-or-later
// Vector instructions that write or read one bit of each lane: comparisons, selections, sums with a carry.
#include "core/hipcpu/retarget/assembly/state.h"

#include <array>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <optional>

namespace gks::hipcpu {
namespace {

using P = llvm::CmpInst;

struct Condition {
    std::string_view name;
    P::Predicate ofFloats;
    P::Predicate ofSigned;
    P::Predicate ofUnsigned;
};
// What integers do not have stands as BAD_ICMP_PREDICATE.
constexpr auto conditions = std::to_array<Condition>({
    {"lt", P::FCMP_OLT, P::ICMP_SLT, P::ICMP_ULT},
    {"eq", P::FCMP_OEQ, P::ICMP_EQ, P::ICMP_EQ},
    {"le", P::FCMP_OLE, P::ICMP_SLE, P::ICMP_ULE},
    {"gt", P::FCMP_OGT, P::ICMP_SGT, P::ICMP_UGT},
    {"ge", P::FCMP_OGE, P::ICMP_SGE, P::ICMP_UGE},
    {"ne", P::BAD_FCMP_PREDICATE, P::ICMP_NE, P::ICMP_NE},
    {"lg", P::FCMP_ONE, P::BAD_ICMP_PREDICATE, P::BAD_ICMP_PREDICATE},
    {"o", P::FCMP_ORD, P::BAD_ICMP_PREDICATE, P::BAD_ICMP_PREDICATE},
    {"u", P::FCMP_UNO, P::BAD_ICMP_PREDICATE, P::BAD_ICMP_PREDICATE},
    {"nge", P::FCMP_ULT, P::BAD_ICMP_PREDICATE, P::BAD_ICMP_PREDICATE},
    {"nlg", P::FCMP_UEQ, P::BAD_ICMP_PREDICATE, P::BAD_ICMP_PREDICATE},
    {"ngt", P::FCMP_ULE, P::BAD_ICMP_PREDICATE, P::BAD_ICMP_PREDICATE},
    {"nle", P::FCMP_UGT, P::BAD_ICMP_PREDICATE, P::BAD_ICMP_PREDICATE},
    {"neq", P::FCMP_UNE, P::BAD_ICMP_PREDICATE, P::BAD_ICMP_PREDICATE},
    {"nlt", P::FCMP_UGE, P::BAD_ICMP_PREDICATE, P::BAD_ICMP_PREDICATE},
});

llvm::Type* comparedType(AssemblyState& state, std::string_view suffix) {
    llvm::IRBuilder<>& ir = state.ir;
    const std::string_view bits = suffix.substr(suffix.empty() ? 0 : 1);
    if (suffix.starts_with('f')) {
        return bits == "16"   ? ir.getHalfTy()
               : bits == "32" ? ir.getFloatTy()
               : bits == "64" ? ir.getDoubleTy()
                              : nullptr;
    }
    if (suffix.starts_with('i') || suffix.starts_with('u')) {
        return bits == "16"   ? static_cast<llvm::Type*>(ir.getInt16Ty())
               : bits == "32" ? ir.getInt32Ty()
               : bits == "64" ? ir.getInt64Ty()
                              : nullptr;
    }
    return nullptr;
}

// v_cmp_lt_f32: the condition and the type of its operands.
bool compare(AssemblyState& state, const AssemblyInstruction& instruction) {
    std::string_view rest = instruction.name;
    const bool isAlsoExec = rest.starts_with("v_cmpx_");
    if ((!rest.starts_with("v_cmp_") && !isAlsoExec) || instruction.operands.size() < 3) {
        return false;
    }
    rest.remove_prefix(std::string_view("v_cmp_").size() + (isAlsoExec ? 1 : 0));
    const auto writeBit = [&](llvm::Value* bit) {
        state.writeLaneMask(instruction.operands[0], bit);
        if (isAlsoExec) {
            state.keepActive(bit);
        }
    };
    const std::size_t at = rest.rfind('_');
    llvm::Type* type = at == std::string_view::npos ? nullptr : comparedType(state, rest.substr(at + 1));
    if (type == nullptr) {
        return false;
    }
    const std::string_view name = rest.substr(0, at);
    if (name == "class" && type->isFloatingPointTy()) {
        llvm::Value* mask = state.read(instruction.operands[2], state.ir.getInt32Ty());
        writeBit(state.call(llvm::Intrinsic::amdgcn_class, {type}, {readSource(state, instruction, 0, type), mask}));
        return true;
    }
    for (const Condition& one : conditions) {
        if (one.name != name) {
            continue;
        }
        const P::Predicate predicate = type->isFloatingPointTy() ? one.ofFloats
                                       : rest[at + 1] == 'i'     ? one.ofSigned
                                                                 : one.ofUnsigned;
        if (predicate == P::BAD_FCMP_PREDICATE || predicate == P::BAD_ICMP_PREDICATE) {
            return false;
        }
        llvm::Value* a = readSource(state, instruction, 0, type);
        llvm::Value* b = readSource(state, instruction, 1, type);
        writeBit(state.ir.CreateCmp(predicate, a, b));
        return true;
    }
    return false;
}

struct CarryRow {
    std::string_view name;
    bool subtracts;
    bool isReversed;
    bool takesCarry;
};
constexpr auto carryRows = std::to_array<CarryRow>({{"v_add_co_u32", false, false, false},
                                                    {"v_addc_co_u32", false, false, true},
                                                    {"v_sub_co_u32", true, false, false},
                                                    {"v_subb_co_u32", true, false, true},
                                                    {"v_subrev_co_u32", true, true, false},
                                                    {"v_subbrev_co_u32", true, true, true}});

// The carry is bit 32 of the sum, or of the difference, of wider numbers.
bool addWithCarry(AssemblyState& state, const AssemblyInstruction& instruction) {
    llvm::IRBuilder<>& ir = state.ir;
    for (const CarryRow& row : carryRows) {
        if (row.name != instruction.name || instruction.operands.size() < (row.takesCarry ? 5U : 4U)) {
            continue;
        }
        const auto wide = [&](unsigned i) {
            return ir.CreateZExt(readSource(state, instruction, i, ir.getInt32Ty(), 2), ir.getInt64Ty());
        };
        llvm::Value* a = wide(row.isReversed ? 1 : 0);
        llvm::Value* b = wide(row.isReversed ? 0 : 1);
        if (row.takesCarry) {
            b = ir.CreateAdd(b, ir.CreateZExt(state.readLaneMask(instruction.operands[4]), ir.getInt64Ty()));
        }
        llvm::Value* result = row.subtracts ? ir.CreateSub(a, b) : ir.CreateAdd(a, b);
        state.writeLaneMask(instruction.operands[1], ir.CreateTrunc(ir.CreateLShr(result, 32), ir.getInt1Ty()));
        writeResult(state, instruction, ir.CreateTrunc(result, ir.getInt32Ty()));
        return true;
    }
    return false;
}

// The first source is one of the others: the one that is scaled. vcc says whether the quotient will have to be.
bool scaleForDivision(AssemblyState& state, const AssemblyInstruction& instruction) {
    llvm::Type* type = instruction.name == "v_div_scale_f32"   ? state.ir.getFloatTy()
                       : instruction.name == "v_div_scale_f64" ? state.ir.getDoubleTy()
                                                               : nullptr;
    if (type == nullptr || instruction.operands.size() < 5) {
        return false;
    }
    const auto& operands = instruction.operands;
    const bool isNumerator = operands[2].text == operands[4].text;
    if (!isNumerator && operands[2].text != operands[3].text) {
        state.refuse("scales what is neither of its other sources");
        return true;
    }
    llvm::Value* both =
        state.call(llvm::Intrinsic::amdgcn_div_scale, {type},
                   {state.read(operands[4], type), state.read(operands[3], type), state.ir.getInt1(isNumerator)});
    state.write(operands[0], state.ir.CreateExtractValue(both, 0));
    state.writeLaneMask(operands[1], state.ir.CreateExtractValue(both, 1));
    return true;
}

bool multiplyAddWide(AssemblyState& state, const AssemblyInstruction& instruction) {
    const bool isSigned = instruction.name == "v_mad_i64_i32";
    if ((!isSigned && instruction.name != "v_mad_u64_u32") || instruction.operands.size() < 5) {
        return false;
    }
    llvm::IRBuilder<>& ir = state.ir;
    const auto wide = [&](unsigned operand) {
        llvm::Value* value = state.read(instruction.operands[operand], ir.getInt32Ty());
        return isSigned ? ir.CreateSExt(value, ir.getInt64Ty()) : ir.CreateZExt(value, ir.getInt64Ty());
    };
    llvm::Value* product = ir.CreateMul(wide(2), wide(3));
    llvm::Value* sum = state.call(isSigned ? llvm::Intrinsic::sadd_with_overflow : llvm::Intrinsic::uadd_with_overflow,
                                  {ir.getInt64Ty()}, {product, state.read(instruction.operands[4], ir.getInt64Ty())});
    state.writeLaneMask(instruction.operands[1], ir.CreateExtractValue(sum, 1));
    state.write(instruction.operands[0], ir.CreateExtractValue(sum, 0));
    return true;
}

} // namespace

bool translateComparison(AssemblyState& state, const AssemblyInstruction& instruction) {
    if (instruction.name == "v_cndmask_b32" && instruction.operands.size() == 4) {
        // Signs are those of a float.
        llvm::Value* ifClear = readSource(state, instruction, 0, state.ir.getFloatTy());
        llvm::Value* ifSet = readSource(state, instruction, 1, state.ir.getFloatTy());
        llvm::Value* mask = state.readLaneMask(instruction.operands[3]);
        writeResult(state, instruction, state.ir.CreateSelect(mask, state.bits(ifSet, 32), state.bits(ifClear, 32)));
        return true;
    }
    return compare(state, instruction) || addWithCarry(state, instruction) || multiplyAddWide(state, instruction) ||
           scaleForDivision(state, instruction);
}

} // namespace gks::hipcpu
