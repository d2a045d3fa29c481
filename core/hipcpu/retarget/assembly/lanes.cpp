// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions across the lanes of a wave, and matrix instructions: each is an intrinsic of LLVM already.
#include "core/hipcpu/retarget/assembly/state.h"

#include <algorithm>
#include <llvm/IR/Function.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

namespace gks::hipcpu {
namespace {

std::string lowerCase(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
    });
    return result;
}

// V_MFMA_F32_32X32X8F16_gfx940_acd is llvm.amdgcn.mfma.f32.32x32x8f16.
llvm::Intrinsic::ID matrixIntrinsic(const AssemblyInstruction& instruction) {
    std::string_view opcode = instruction.opcode;
    opcode = opcode.substr(0, opcode.find("_gfx"));
    opcode = opcode.substr(0, opcode.find("_e64"));
    std::string name = lowerCase(opcode.substr(std::string_view("V_").size()));
    std::replace(name.begin(), name.end(), '_', '.');
    name.insert(0, "llvm.amdgcn.");
    const llvm::Intrinsic::ID id = llvm::Function::lookupIntrinsicID(name);
    if (id != llvm::Intrinsic::not_intrinsic) {
        return id;
    }
    // Later shapes have a point before the type: 32x32x16.i8, 16x16x8.xf32.
    const std::size_t shape = name.rfind('x', name.find_last_of("0123456789", name.find_last_not_of("0123456789")));
    const std::size_t type = name.find_first_not_of("0123456789", shape + 1);
    if (shape == std::string::npos || type == std::string::npos) {
        return llvm::Intrinsic::not_intrinsic;
    }
    return llvm::Function::lookupIntrinsicID(name.insert(type, "."));
}

} // namespace

bool translateMatrix(AssemblyState& state, const AssemblyInstruction& instruction) {
    const bool isSparse = instruction.name.starts_with("v_smfmac_");
    if ((!isSparse && !instruction.name.starts_with("v_mfma_")) || instruction.operands.size() < 4) {
        return false;
    }
    const llvm::Intrinsic::ID id = matrixIntrinsic(instruction);
    const std::size_t controls = isSparse ? 2 : 3;
    if (id == llvm::Intrinsic::not_intrinsic || instruction.immediates.size() < controls) {
        return false;
    }
    const llvm::FunctionType* type = llvm::Intrinsic::getType(state.ir.getContext(), id);
    llvm::SmallVector<llvm::Value*, 8> operands;
    // mfma: a, b, c; smfmac: a, b, the accumulator, which is the destination, and the index
    const unsigned sources[] = {1, 2, isSparse ? 0U : 3U, 3};
    for (unsigned i = 0; i < (isSparse ? 4U : 3U); ++i) {
        const AssemblyOperand& operand = instruction.operands[sources[i]];
        llvm::Type* wanted = type->getParamType(i);
        if (operand.isRegister()) {
            operands.push_back(state.read(operand, wanted));
        } else { // each element of c
            llvm::Type* element = wanted->getScalarType();
            llvm::Value* value = state.read(operand, element);
            auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(wanted);
            operands.push_back(vector != nullptr ? state.ir.CreateVectorSplat(vector->getNumElements(), value) : value);
        }
    }
    for (std::size_t i = instruction.immediates.size() - controls; i < instruction.immediates.size(); ++i) {
        operands.push_back(state.ir.getInt32(static_cast<std::uint32_t>(instruction.immediates[i])));
    }
    // It takes no notice of which lanes are on.
    state.put(instruction.operands[0].kind, instruction.operands[0].first, state.call(id, {}, operands));
    return true;
}

bool translateLanes(AssemblyState& state, const AssemblyInstruction& instruction) {
    llvm::IRBuilder<>& ir = state.ir;
    llvm::Type* word = ir.getInt32Ty();
    const std::string& name = instruction.name;
    const auto& operands = instruction.operands;
    const auto source = [&](unsigned i) { return readSource(state, instruction, i, word); };
    if (name == "v_mov_b32" && instruction.isDpp() && operands.size() == 2 && instruction.immediates.size() >= 4) {
        const auto control = [&](std::size_t fromEnd) {
            return static_cast<std::uint32_t>(instruction.immediates[instruction.immediates.size() - fromEnd]);
        };
        state.write(operands[0],
                    state.call(llvm::Intrinsic::amdgcn_update_dpp, {word},
                               {state.read(operands[0], word), state.read(operands[1], word), ir.getInt32(control(4)),
                                ir.getInt32(control(3)), ir.getInt32(control(2)), ir.getInt1(control(1) != 0)}));
    } else if (name == "v_readfirstlane_b32" && operands.size() == 2) {
        state.write(operands[0],
                    state.switchesLanes()
                        ? state.call(llvm::Intrinsic::amdgcn_readlane, {word}, {source(0), state.firstLane()})
                        : state.call(llvm::Intrinsic::amdgcn_readfirstlane, {word}, {source(0)}));
    } else if (name == "v_readlane_b32" && operands.size() == 3) {
        state.write(operands[0], state.call(llvm::Intrinsic::amdgcn_readlane, {word}, {source(0), source(1)}));
    } else if (name == "v_writelane_b32" && operands.size() == 3) {
        // Into a lane that is off, too.
        state.put(operands[0].kind, operands[0].first,
                  state.call(llvm::Intrinsic::amdgcn_writelane, {word},
                             {source(0), source(1), state.read(operands[0], word)}));
    } else if (name == "v_mbcnt_lo_u32_b32" && operands.size() == 3) {
        state.write(operands[0], state.call(llvm::Intrinsic::amdgcn_mbcnt_lo, {}, {source(0), source(1)}));
    } else if (name == "v_mbcnt_hi_u32_b32" && operands.size() == 3) {
        state.write(operands[0], state.call(llvm::Intrinsic::amdgcn_mbcnt_hi, {}, {source(0), source(1)}));
    } else if (name == "v_swap_b32" && operands.size() == 2) {
        llvm::Value* first = state.read(operands[0], word);
        state.write(operands[0], state.read(operands[1], word));
        state.write(operands[1], first);
    } else if ((name == "ds_bpermute_b32" || name == "ds_permute_b32") && operands.size() == 3) {
        llvm::Value* address = ir.CreateAdd(source(0), state.offset(instruction));
        state.write(operands[0], state.call(name == "ds_permute_b32" ? llvm::Intrinsic::amdgcn_ds_permute
                                                                     : llvm::Intrinsic::amdgcn_ds_bpermute,
                                            {}, {address, source(1)}));
    } else if (name == "ds_swizzle_b32" && operands.size() == 2 && !instruction.immediates.empty()) {
        llvm::Value* pattern = ir.getInt32(static_cast<std::uint32_t>(instruction.immediates[0]) & 0xffff);
        state.write(operands[0], state.call(llvm::Intrinsic::amdgcn_ds_swizzle, {}, {source(0), pattern}));
    } else {
        return false;
    }
    return true;
}

} // namespace gks::hipcpu
