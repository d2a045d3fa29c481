// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/assembly/flow.h"

#include "core/hipcpu/retarget/assembly/state.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace gks::hipcpu {
namespace {

using Kind = AssemblyOperand::Kind;

bool isJump(const AssemblyInstruction& instruction) {
    return instruction.target != AssemblyInstruction::noTarget;
}

bool isExec(const AssemblyOperand& operand) {
    return operand.kind == Kind::scalar && operand.first - scalarRegister::exec < 2; // the whole or a half
}

bool writesExec(const AssemblyInstruction& instruction) {
    const std::string& name = instruction.name;
    const bool isToScalar = (name.starts_with("s_") && !name.starts_with("s_cmp") && !name.starts_with("s_bitcmp")) ||
                            name.starts_with("v_readlane_") || name.starts_with("v_readfirstlane_");
    return name.find("_saveexec_") != std::string::npos || name.find("_wrexec_") != std::string::npos ||
           name.starts_with("v_cmpx_") ||
           (isToScalar && !instruction.operands.empty() && isExec(instruction.operands[0]));
}

// What happens in memory or between lanes. Of the other vector instructions a thread whose lane is off keeps no result.
bool isForActiveLanes(const AssemblyInstruction& instruction) {
    const std::string& name = instruction.name;
    return instruction.isDpp() || name.starts_with("ds_") || name.starts_with("global_") || name.starts_with("flat_") ||
           name.starts_with("buffer_");
}

} // namespace

AssemblyFlow::AssemblyFlow(llvm::CallInst& call, AssemblyState& state, const Assembled& statement)
    : m_call(call), m_state(state) {
    const auto& instructions = statement.instructions;
    m_switches = std::any_of(instructions.begin(), instructions.end(), writesExec);
    m_isPlain = !m_switches && std::none_of(instructions.begin(), instructions.end(), isJump);
    if (m_isPlain) {
        return;
    }
    llvm::BasicBlock* before = call.getParent();
    llvm::BasicBlock* behind = before->splitBasicBlock(&call, "behind.assembly");
    before->getTerminator()->eraseFromParent();
    m_begins.resize(instructions.size() + 1);
    m_begins.back() = behind;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
        if (isJump(instructions[i])) {
            for (const std::size_t begin : {instructions[i].target, i + 1}) {
                m_begins[begin] = m_begins[begin] != nullptr ? m_begins[begin] : newBlock();
            }
        }
    }
    state.ir.SetInsertPoint(before);
    state.keepInMemory(m_switches);
}

llvm::BasicBlock* AssemblyFlow::newBlock() {
    return llvm::BasicBlock::Create(m_call.getContext(), "assembly", m_call.getFunction(), m_call.getParent());
}

void AssemblyFlow::goTo(llvm::BasicBlock* block) {
    m_state.leaveBlock();
    m_state.ir.CreateBr(block);
    m_state.ir.SetInsertPoint(block);
}

void AssemblyFlow::enter(std::size_t i) {
    if (m_isPlain || m_begins[i] == nullptr) {
        return;
    }
    if (m_state.ir.GetInsertBlock()->getTerminator() == nullptr) {
        goTo(m_begins[i]);
    } else {
        m_state.ir.SetInsertPoint(m_begins[i]);
    }
}

bool AssemblyFlow::jump(const AssemblyInstruction& instruction, std::size_t i) {
    if (!isJump(instruction)) {
        return false;
    }
    llvm::IRBuilder<>& ir = m_state.ir;
    const std::string& name = instruction.name;
    llvm::Value* condition = nullptr;
    const auto isZero = [&](unsigned first) {
        return ir.CreateIsNull(m_state.get(Kind::scalar, first, ir.getInt64Ty()));
    };
    if (name == "s_cbranch_scc0" || name == "s_cbranch_scc1") {
        condition = m_state.readScc();
    } else if (name == "s_cbranch_vccz" || name == "s_cbranch_vccnz") {
        condition = isZero(scalarRegister::vcc);
    } else if (name == "s_cbranch_execz" || name == "s_cbranch_execnz") {
        condition = isZero(scalarRegister::exec);
    } else if (name != "s_branch") {
        return false;
    }
    m_state.leaveBlock();
    llvm::BasicBlock* to = m_begins[instruction.target];
    if (condition == nullptr) {
        ir.CreateBr(to);
        return true;
    }
    const bool isIfClear = name == "s_cbranch_scc0" || name.ends_with("nz"); // where the condition is not true
    llvm::BasicBlock* next = m_begins[i + 1];
    ir.CreateCondBr(condition, isIfClear ? next : to, isIfClear ? to : next);
    return true;
}

void AssemblyFlow::beginActive(const AssemblyInstruction& instruction) {
    if (m_switches && isForActiveLanes(instruction)) {
        m_state.leaveBlock();
        llvm::BasicBlock* inside = newBlock();
        m_behind = newBlock();
        m_state.ir.CreateCondBr(m_state.isActive(), inside, m_behind);
        m_state.ir.SetInsertPoint(inside);
    }
}

void AssemblyFlow::endActive() {
    if (m_behind != nullptr) {
        goTo(m_behind);
        m_behind = nullptr;
    }
}

// The compiler takes all lanes that have come to the statement to be there behind it.
void AssemblyFlow::end() {
    if (m_isPlain) {
        return;
    }
    enter(m_begins.size() - 1);
    m_state.ir.SetInsertPoint(&m_call);
    if (m_switches) {
        llvm::Module& module = *m_call.getModule();
        auto check = module.getOrInsertFunction(
            "hipcpu_expect_lane", llvm::FunctionType::get(m_state.ir.getVoidTy(), {m_state.ir.getInt32Ty()}, false));
        m_state.ir.CreateCall(check, {m_state.ir.CreateZExt(m_state.isActive(), m_state.ir.getInt32Ty())});
    }
}

// s_and_saveexec_b64 and the like: exec is kept in the destination and becomes what the two are together. Of
// s_andn1_wrexec_b64 and s_andn2_wrexec_b64 the destination has that, too.
bool translateSaveExec(AssemblyState& state, const AssemblyInstruction& instruction) {
    llvm::IRBuilder<>& ir = state.ir;
    const std::string& name = instruction.name;
    const bool keepsNew = name.ends_with("_wrexec_b64");
    if ((!name.ends_with("_saveexec_b64") && !keepsNew) || instruction.operands.size() != 2) {
        return false;
    }
    AssemblyOperand exec;
    exec.kind = AssemblyOperand::Kind::scalar;
    exec.first = scalarRegister::exec;
    exec.count = 2;
    llvm::Value* old = state.read(exec, ir.getInt64Ty());
    llvm::Value* given = state.read(instruction.operands[1], ir.getInt64Ty());
    const std::string_view operation = std::string_view(name).substr(2, name.find('_', 2) - 2);
    llvm::Value* both = operation == "and"     ? ir.CreateAnd(given, old)
                        : operation == "or"    ? ir.CreateOr(given, old)
                        : operation == "xor"   ? ir.CreateXor(given, old)
                        : operation == "nand"  ? ir.CreateNot(ir.CreateAnd(given, old))
                        : operation == "nor"   ? ir.CreateNot(ir.CreateOr(given, old))
                        : operation == "xnor"  ? ir.CreateNot(ir.CreateXor(given, old))
                        : operation == "andn2" ? ir.CreateAnd(given, ir.CreateNot(old))
                        : operation == "orn2"  ? ir.CreateOr(given, ir.CreateNot(old))
                        : operation == "andn1" ? ir.CreateAnd(ir.CreateNot(given), old)
                        : operation == "orn1"  ? ir.CreateOr(ir.CreateNot(given), old)
                                               : nullptr;
    if (both == nullptr) {
        return false;
    }
    state.write(instruction.operands[0], keepsNew ? both : old);
    state.writeScc(ir.CreateIsNotNull(both));
    state.write(exec, both);
    return true;
}

} // namespace gks::hipcpu
