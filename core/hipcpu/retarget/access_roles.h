// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <vector>

namespace gks::hipcpu {

// Memory that stays as it is while a thread runs: its indices, those of its block, arguments of the kernel.
bool isOfLaunch(const llvm::Value* object);

// Volatile, atomic or nontemporal: what others write is seen while the kernel runs.
bool isPastCaches(const llvm::LoadInst& load);

// What the reads of one function are for. No instruction is added to it meanwhile.
class AccessRoles {
public:
    explicit AccessRoles(llvm::Function& function);

    // A plain read of what an atomic then changes in one step.
    bool isGuess(const llvm::LoadInst& load) const;
    // What is made of it is written to the same place, in a step of its own, and no loop before waits for a value
    // there.
    bool comesBack(const llvm::LoadInst& load) const;
    // A loop reads the place, as volatile, as an atomic or past the caches, until what it reads ends the loop.
    bool isAwaited(const llvm::LoadInst& load) const;
    // Whether another block's writes are looked for: what is written plainly may be a flag.
    bool mayReadFlags() const { return m_mayReadFlags; }

private:
    bool mayReadFlag(const llvm::Instruction& instruction) const;
    bool isWait(const llvm::Instruction& read, const llvm::Value& pointer) const;
    bool dependsOn(const llvm::Value& value, const llvm::Instruction& read) const;

    llvm::DominatorTree m_dominators;
    llvm::LoopInfo m_loops;
    struct Write {
        const llvm::Instruction* instruction;
        const llvm::Value* pointer;
        const llvm::Value* value; // null: in one step with a read
    };
    std::vector<Write> m_writes;
    std::vector<const llvm::LoadInst*> m_waits;
    bool m_mayReadFlags = false;
};

} // namespace gks::hipcpu
