// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/retarget/regions.h"

#include <functional>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instruction.h>

namespace llvm {
class BasicBlock;
class IRBuilderBase;
} // namespace llvm

namespace gks::hipcpu {

// Values that are the same for all threads and that the block can compute by itself, once, from those it has when a
// region begins: counters of loops and what is decided by them.
class BlockValues {
public:
    BlockValues(const Regions& regions, unsigned region);

    // The value as it is at the end of a block of the region: one that the region has come to on every way, or none at
    // all. False when it is neither, or when a thread is needed for it.
    bool canMake(const llvm::Value& value, const llvm::BasicBlock& at) { return canMakeAt(value, at, 0); }
    // `atBegin` gives arguments of the item function and uniform values as they are when the region begins.
    llvm::Value* make(llvm::Value& value, const llvm::BasicBlock& at, llvm::IRBuilderBase& builder,
                      const std::function<llvm::Value*(llvm::Value&)>& atBegin);

private:
    // Which of its values an instruction has at a place: the region may compute it anew, before or behind the place.
    enum class Version { atBegin, fromHere, either };
    Version versionAt(const llvm::Instruction& value, const llvm::BasicBlock& at) const;

    bool canMakeAt(const llvm::Value& value, const llvm::BasicBlock& at, unsigned depth);
    bool canMakeHere(const llvm::Instruction& value, unsigned depth);
    bool isHere(const llvm::Instruction& instruction) const { return m_inside.contains(instruction.getParent()); }
    bool isLiveAtBegin(const llvm::Instruction& value) const;
    // Within the region, by a way that does not pass `around`, which may be null.
    bool leadsTo(const llvm::BasicBlock& first, const llvm::BasicBlock& second, const llvm::BasicBlock* around) const;

    const Regions& m_regions;
    unsigned m_region;
    llvm::SmallPtrSet<const llvm::BasicBlock*, 16> m_inside;
    llvm::DenseMap<const llvm::Value*, bool> m_known;
    llvm::DenseMap<const llvm::Value*, llvm::Value*> m_made;
};

} // namespace gks::hipcpu
