// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/retarget/thread_growth.h"

namespace gks::hipcpu {

// What all lanes of a strip have, as vectors before the loop over them. Lanes that a short row does not have are there,
// too.
class LaneValues {
public:
    explicit LaneValues(ThreadGrowth& threads) : m_threads(threads) {}

    // Null where that may not be computed there.
    llvm::Value* of(llvm::Value& value) {
        const auto known = m_known.find(&value);
        return known != m_known.end() ? known->second : m_known[&value] = computed(value);
    }

private:
    llvm::Value* computed(llvm::Value& value);

    ThreadGrowth& m_threads;
    llvm::DenseMap<const llvm::Value*, llvm::Value*> m_known;
};

} // namespace gks::hipcpu
