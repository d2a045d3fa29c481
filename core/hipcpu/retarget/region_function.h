// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/retarget/item_function.h"
#include "core/hipcpu/retarget/regions.h"
#include "core/hipcpu/retarget/thread_arrays.h"

namespace llvm {
class Type;
} // namespace llvm

namespace gks::hipcpu {

// The parameters of region functions behind those of the item function.
namespace region {
enum Parameter : unsigned {
    threads = item::parameters, // in the block
    deposits,                   // to read, 64 bits for each thread, rounded up to whole waves
    nextDeposits,               // to write
    outcome,                    // of the vote before
    going,                      // a byte for each thread where they may end early or part, see waitsFor
    lanes,                      // likewise: 64 bits for each wave, of the threads that exchange
    parameters,
};
// What a thread's byte says once it waits for a region apart from others. It is 0 of a thread that has ended.
constexpr unsigned waitsFor(unsigned index) {
    return index + 1;
}
} // namespace region

// Makes a function of each region that does what one thread does there. Its parameters are those above, then the
// uniform values, then the arrays with an element for each thread. It returns what it gives the block; where a decision
// ends the region that the block cannot make by itself, the last of the results is what it depends on.
class RegionFunctions {
public:
    RegionFunctions(llvm::Function& item, const Regions& regions);

    // In the order of the parameters.
    const std::vector<llvm::Instruction*>& uniform() const { return m_uniform; }
    const ThreadArrays& arrays() const { return m_arrays; }

    struct Made {
        llvm::Function* function = nullptr;
        llvm::SmallVector<unsigned, 8> gives;      // indices of uniform values, in the order of the results
        llvm::SmallVector<unsigned, 8> blockGives; // of those that the block computes, see BlockValues
        llvm::Value* blockDecision = nullptr;      // likewise, in the item function
        bool decides = false;
        bool isIndependent = false; // its threads share no memory by the rules of the language: no atomics, no volatile
        bool isIdle = false;        // its threads do nothing
    };
    Made make(unsigned region) const;

private:
    llvm::Function& m_item;
    const Regions& m_regions;
    std::vector<llvm::Instruction*> m_uniform;
    ThreadArrays m_arrays;
};

} // namespace gks::hipcpu
