// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/retarget/regions.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>

namespace gks::hipcpu {

// Null where the block does not end with a synchronisation.
llvm::Instruction* synchronisationOf(llvm::BasicBlock& block);
bool hasSeveralEnds(const llvm::BasicBlock& block);

// Which cuts can be the next one from a block's begin. The function is split at its synchronisations: each becomes the
// last but one instruction of a block that has one successor of its own.
class NextCuts {
public:
    explicit NextCuts(llvm::Function& item);

    void add(Cut::Kind kind, llvm::BasicBlock& block);
    bool isCut(const llvm::BasicBlock& block) const { return m_cutOf.contains(&block); }
    unsigned cutOf(const llvm::BasicBlock& block) const { return m_cutOf.lookup(&block); }
    std::vector<Cut>& cuts() { return m_cuts; }

    // Anew, once cuts or blocks were added.
    void find();
    const llvm::BitVector& from(const llvm::BasicBlock& block) const { return m_next.find(&block)->second; }
    unsigned end() const { return static_cast<unsigned>(m_cuts.size()); }

private:
    llvm::Function& m_item;
    std::vector<Cut> m_cuts;
    llvm::DenseMap<const llvm::BasicBlock*, unsigned> m_cutOf;
    llvm::DenseMap<const llvm::BasicBlock*, llvm::BitVector> m_next;
};

} // namespace gks::hipcpu
