// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/retarget/assembly/assembler.h"

#include <llvm/ADT/SmallVector.h>
#include <vector>

namespace llvm {
class BasicBlock;
class CallInst;
class Value;
} // namespace llvm

namespace gks::hipcpu {

class AssemblyState;

// The way of a wave through a statement of inline assembly that jumps to its own labels or switches lanes off. Jumps go
// by scc or by masks of the wave, so all of its threads take them alike. A thread whose lane is off (its bit of exec)
// keeps its vector registers and touches no memory.
class AssemblyFlow {
public:
    AssemblyFlow(llvm::CallInst& call, AssemblyState& state, const Assembled& statement);

    // Goes to the place of instruction i.
    void enter(std::size_t i);
    // Carries out a jump; false: it is none.
    bool jump(const AssemblyInstruction& instruction, std::size_t i);
    // Round an instruction that lanes which are off have no part in.
    void beginActive(const AssemblyInstruction& instruction);
    void endActive();
    // Behind the last instruction, in front of the call.
    void end();

private:
    llvm::BasicBlock* newBlock();
    void goTo(llvm::BasicBlock* block);

    llvm::CallInst& m_call;
    AssemblyState& m_state;
    bool m_isPlain;                          // neither of the two
    bool m_switches = false;                 // lanes
    std::vector<llvm::BasicBlock*> m_begins; // of the instructions that a block begins with, and of the end
    llvm::BasicBlock* m_behind = nullptr;    // an instruction for active lanes
};

} // namespace gks::hipcpu
