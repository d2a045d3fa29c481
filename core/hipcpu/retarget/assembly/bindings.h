// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/retarget/assembly/assembler.h"
#include "core/hipcpu/retarget/assembly/state.h"

#include <string>
#include <vector>

namespace llvm {
class CallInst;
class InlineAsm;
} // namespace llvm

namespace gks::hipcpu {

// The operands of a statement of inline assembly: each has registers of its class, or is an immediate.
class AssemblyBindings {
public:
    AssemblyBindings(llvm::CallInst& call, const llvm::InlineAsm& statement, AssemblyState& state);

    // The instructions of the statement. An immediate that is no constant yet has a number of its own, which the state
    // knows: of unoptimised code, where a parameter of an inlined function is one.
    Assembled instructions() const;
    // What the statement results in, of the call's type; nullptr for nothing.
    llvm::Value* results() const;
    bool clobbersMemory() const { return m_clobbersMemory; }
    // Whether an immediate is no constant; more can be said of the statement when it has become one.
    bool hasOpenImmediates() const;

private:
    struct Operand {
        bool isImmediate = false;
        bool isConstant = false;
        std::int64_t number = 0; // the constant
        AssemblyOperand::Kind kind = AssemblyOperand::Kind::vectorRegister;
        unsigned first = 0;
        unsigned count = 1;
    };

    void bindOutput(llvm::StringRef code, llvm::Type* type);
    void bindInput(llvm::StringRef code, llvm::Value* value);
    bool place(llvm::StringRef code, llvm::Type* type, Operand& operand);
    void occupy(std::string_view text);
    std::string textWith(unsigned round) const;
    std::string written(const Operand& operand, unsigned position, unsigned round) const;

    llvm::CallInst& m_call;
    const llvm::InlineAsm& m_statement;
    AssemblyState& m_state;
    std::vector<Operand> m_operands;
    std::vector<llvm::Type*> m_outputs;
    std::vector<bool> m_taken[3]; // registers, by kind
    bool m_clobbersMemory = false;
};

} // namespace gks::hipcpu
