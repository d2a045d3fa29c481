// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/retarget/regions.h"

#include <functional>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>

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

    // Also of values that are computed in another region, which the block then has.
    bool canMake(const llvm::Value& value) { return canMake(value, 0); }
    // `atBegin` gives arguments of the item function and uniform values as they are when the region begins.
    llvm::Value* make(llvm::Value& value, llvm::IRBuilderBase& builder,
                      const std::function<llvm::Value*(llvm::Value&)>& atBegin);

private:
    bool canMake(const llvm::Value& value, unsigned depth);
    bool isHere(const llvm::Instruction& instruction) const { return m_inside.contains(instruction.getParent()); }
    struct Incoming {
        llvm::Value* value = nullptr; // null where there are several ways from the region's begin
        bool isAtBegin = false;       // as it is when the region begins, though the region may compute it anew
    };
    Incoming incomingOf(const llvm::Instruction& phi) const;
    bool leadsTo(const llvm::BasicBlock& first, const llvm::BasicBlock& second) const;
    bool isLiveAtBegin(const llvm::Value& value) const;

    const Regions& m_regions;
    unsigned m_region;
    llvm::SmallPtrSet<const llvm::BasicBlock*, 16> m_inside;
    llvm::DenseMap<const llvm::Value*, bool> m_known;
    llvm::DenseMap<const llvm::Value*, llvm::Value*> m_made;
};

} // namespace gks::hipcpu
