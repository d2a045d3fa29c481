// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace gks::hipcpu {

// The counters of the loops over the threads of a region: of the block's planes, rows, strips (in threads) and of the
// lanes of a strip. The first three are null where not every strip comes to the last one. Blocks whose rows are not
// made of whole strips have a strip for each row, with as many lanes as it has threads, and no loop over strips.
struct ThreadLoops {
    llvm::PHINode* z = nullptr;
    llvm::PHINode* y = nullptr;
    llvm::PHINode* x = nullptr;
    llvm::PHINode* lane = nullptr;
    // Where these are not all lanes of the strip: the first one, and how many there are.
    llvm::Value* firstLane = nullptr;
    llvm::Value* lanes = nullptr;

    bool areRows = false; // strips are

    bool isOfBlock() const { return z != nullptr; }
    ThreadLoops ofStrip() const { return {nullptr, nullptr, nullptr, lane, nullptr, nullptr, areRows}; }
};
using BlockSize = std::array<llvm::Value*, 3>; // in threads

// Which values grow alike from thread to thread, and what they are before the loops for the first thread, its
// neighbours and the last one: sums, products with what is the same for all, wider and narrower integers.
class ThreadGrowth {
public:
    ThreadGrowth(const ThreadLoops& loops, const BlockSize& size);

    // A bit for each of the loops.
    using Growth = unsigned;
    static constexpr Growth none = 0, byLane = 1, byStrip = 2, byRow = 4, byPlane = 8, unknown = 16;
    // Whom a value is computed for: the first thread, the next one or the last one along one of the loops, the last
    // one.
    enum Point : unsigned {
        origin,
        nextLane,
        nextStrip,
        nextRow,
        nextPlane,
        lastLane,
        lastStrip,
        lastRow,
        lastPlane,
        last,
        points
    };
    struct Axis {
        Growth growth;
        Point next, last;
    };
    static constexpr std::array<Axis, 4> axes = {Axis{byLane, nextLane, lastLane}, Axis{byStrip, nextStrip, lastStrip},
                                                 Axis{byRow, nextRow, lastRow}, Axis{byPlane, nextPlane, lastPlane}};

    Growth growthOf(llvm::Value& value);
    // Of a value whose growth is known: before the loops, as that thread has it.
    llvm::Value* at(llvm::Value& value, Point point);
    // How many lanes a strip has, as i32.
    llvm::Value* lanes() const;
    // Before the loops: how many steps it is along one of them to the last thread, as i32.
    llvm::Value* stepsAlong(Growth axis) const;
    // Before the loops: whether the value, as an integer of this kind, does grow alike all the way there. What is
    // computed in a narrower type may wrap round on the way.
    llvm::Value* growsAlike(llvm::Value& value, bool isSigned);

    const ThreadLoops& loops() const { return m_loops; }
    const BlockSize& size() const { return m_size; }
    const llvm::SetVector<llvm::BasicBlock*>& blocks() const { return m_blocks; } // of the loops, the header first
    llvm::Instruction* before() const { return m_before->getTerminator(); }
    llvm::BasicBlock& after() const; // where the outermost loop goes on

private:
    Growth computed(llvm::Instruction& instruction);
    std::uint64_t stepOf(llvm::Value& value);
    std::uint64_t factorOf(const llvm::Value& value) const;
    bool divides(std::uint64_t divisor, const llvm::Instruction& instruction);
    std::uint64_t quotientStep(const llvm::Instruction& quotient);
    static Growth moved(Point point); // which counters differ there from those of the first thread
    llvm::Value* counterAt(const llvm::PHINode* counter, Point point, llvm::IRBuilder<>& builder) const;

    ThreadLoops m_loops;
    BlockSize m_size;
    llvm::PHINode* m_first; // of the outermost loop
    llvm::BasicBlock* m_before;
    llvm::BasicBlock* m_latch;
    llvm::SetVector<llvm::BasicBlock*> m_blocks;
    llvm::DenseMap<const llvm::Value*, Growth> m_growth;
    llvm::DenseMap<const llvm::Value*, llvm::Value*> m_made[points];
};

} // namespace gks::hipcpu
