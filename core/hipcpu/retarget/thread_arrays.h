// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/retarget/regions.h"

#include <llvm/ADT/DenseMap.h>
#include <vector>

namespace llvm {
class Type;
} // namespace llvm

namespace gks::hipcpu {

// The arrays, with an element for each thread, in which values lie from one region to another. A phi and what comes
// into it share one where no cut lies behind which both are needed: what a loop carries from turn to turn stays where
// it is.
class ThreadArrays {
public:
    explicit ThreadArrays(const Regions& regions);

    // Of the elements; a bool is a byte in memory.
    const std::vector<llvm::Type*>& types() const { return m_types; }
    // Of a value of each thread.
    unsigned of(const llvm::Instruction& value) const { return m_arrays.find(&value)->second; }

private:
    std::vector<llvm::Type*> m_types;
    llvm::DenseMap<const llvm::Instruction*, unsigned> m_arrays;
};

} // namespace gks::hipcpu
