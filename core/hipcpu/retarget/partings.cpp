// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/partings.h"

#include "core/hipcpu/retarget/next_cuts.h"
#include "core/hipcpu/retarget/uniformity.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace gks::hipcpu {
namespace {

using Blocks = llvm::SmallPtrSet<const llvm::BasicBlock*, 16>;

// Leads to a cut. Threads elsewhere only end, and nobody waits for them.
bool isBusy(const llvm::BasicBlock& block, const NextCuts& next) {
    const llvm::BitVector& cuts = next.from(block);
    return cuts.count() > (cuts.test(next.end()) ? 1U : 0U);
}

bool hasSeveralCuts(const llvm::BasicBlock& block, const NextCuts& next) {
    const llvm::BitVector& cuts = next.from(block);
    return cuts.count() > (cuts.test(next.end()) ? 2U : 1U);
}

// Where all threads come to that leave a block, unless they end: post-dominance among the blocks that lead to a cut. A
// loop that threads leave only to end has nothing behind it: its turn counts as the last place there.
class MeetingPlaces {
public:
    MeetingPlaces(llvm::Function& item, const NextCuts& next) {
        const llvm::DominatorTree dominators(item);
        const llvm::LoopInfo loops(dominators);
        for (llvm::BasicBlock* block : llvm::post_order(&item)) {
            if (isBusy(*block, next)) {
                m_index[block] = static_cast<unsigned>(m_blocks.size());
                m_blocks.push_back(block);
            }
        }
        for (llvm::BasicBlock* block : m_blocks) {
            auto& ways = m_ways.emplace_back();
            for (const llvm::BasicBlock* successor : llvm::successors(block)) {
                const llvm::Loop* loop = loops.getLoopFor(successor);
                const bool turns = loop != nullptr && loop->getHeader() == successor && loop->contains(block);
                if (isBusy(*successor, next) && !(turns && isEndless(*loop))) {
                    ways.push_back(m_index.lookup(successor));
                }
            }
        }
        const auto count = static_cast<unsigned>(m_blocks.size());
        m_behind.assign(count, llvm::BitVector(count, true));
        for (bool changed = true; changed;) {
            changed = false;
            for (unsigned i = 0; i < count; ++i) {
                llvm::BitVector behind(count, !m_ways[i].empty());
                for (const unsigned way : m_ways[i]) {
                    behind &= m_behind[way];
                }
                behind.set(i);
                if (behind != m_behind[i]) {
                    m_behind[i] = std::move(behind);
                    changed = true;
                }
            }
        }
    }

    // Null when there is none.
    llvm::BasicBlock* after(const llvm::BasicBlock& block) const {
        llvm::BasicBlock* nearest = nullptr;
        unsigned most = 0;
        const unsigned own = m_index.lookup(&block);
        for (const unsigned i : m_behind[own].set_bits()) {
            if (i != own && m_behind[i].count() > most) {
                nearest = m_blocks[i];
                most = m_behind[i].count();
            }
        }
        return nearest;
    }

private:
    bool isEndless(const llvm::Loop& loop) const {
        llvm::SmallVector<llvm::BasicBlock*, 4> exits;
        loop.getExitBlocks(exits);
        return llvm::none_of(exits, [&](const llvm::BasicBlock* exit) { return m_index.contains(exit); });
    }

    std::vector<llvm::BasicBlock*> m_blocks;
    llvm::DenseMap<const llvm::BasicBlock*, unsigned> m_index;
    std::vector<llvm::SmallVector<unsigned, 2>> m_ways; // from each block, without those on which threads end
    std::vector<llvm::BitVector> m_behind;              // of each block: those that all ways lead to
};

// What lies between the end of a block and the place where all meet again, without what only ends.
llvm::SetVector<const llvm::BasicBlock*> blocksBefore(const llvm::BasicBlock* join, const llvm::BasicBlock& block,
                                                      const NextCuts& next) {
    llvm::SetVector<const llvm::BasicBlock*> blocks;
    const auto goOn = [&](const llvm::BasicBlock& from) {
        for (const llvm::BasicBlock* successor : llvm::successors(&from)) {
            if (successor != join && isBusy(*successor, next)) {
                blocks.insert(successor);
            }
        }
    };
    goOn(block);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        goOn(*blocks[i]);
    }
    return blocks;
}

// Threads go different ways at the end of the block, and some come to a cut before they meet again. Both ways may lead
// to the same one, when a loop turns: they would come there in different turns.
bool partThreads(const llvm::BasicBlock& block, const Uniformity& uniformity, const NextCuts& next,
                 const MeetingPlaces& places) {
    if (!hasSeveralEnds(block) || next.isCut(block) || uniformity.hasUniformEnd(block) ||
        llvm::count_if(llvm::successors(&block),
                       [&](const llvm::BasicBlock* successor) { return isBusy(*successor, next); }) < 2) {
        return false;
    }
    return llvm::any_of(blocksBefore(places.after(block), block, next),
                        [&](const llvm::BasicBlock* between) { return next.isCut(*between); });
}

class PartingMaker {
public:
    PartingMaker(llvm::Function& item, const Uniformity& uniformity, NextCuts& next)
        : m_item(item), m_uniformity(uniformity), m_next(next) {}

    std::optional<std::vector<Part>> make() {
        for (bool changed = true; changed;) {
            cutBranches();
            if (m_next.cuts().size() > mostPartedRegions) { // each is followed by one at least
                return {};
            }
            const MeetingPlaces places(m_item, m_next);
            changed = cutWhereTurnsDiffer(places);
            if (!changed) {
                findParts(places);
                changed = cutJoins() || cutLoops();
            }
        }
        if (mayWaitForOthers()) {
            return {};
        }
        for (Cut& cut : m_next.cuts()) {
            if (!m_parted.contains(cut.block)) {
                continue;
            }
            if (cut.kind == Cut::Kind::decision) { // of a block that is not there as a whole
                cut.kind = Cut::Kind::parting;
            } else if (cut.kind != Cut::Kind::exchange && cut.kind != Cut::Kind::parting &&
                       cut.kind != Cut::Kind::join) {
                return {};
            }
        }
        return std::move(m_parts);
    }

private:
    void cutBranches() {
        for (m_next.find();;) {
            llvm::BasicBlock* found = nullptr;
            for (llvm::BasicBlock* block : llvm::post_order(&m_item)) {
                if (hasSeveralEnds(*block) && !m_next.isCut(*block) && hasSeveralCuts(*block, m_next)) {
                    found = block;
                    break;
                }
            }
            if (found == nullptr) {
                return;
            }
            m_next.add(m_uniformity.hasUniformEnd(*found) ? Cut::Kind::decision : Cut::Kind::parting, *found);
            m_next.find();
        }
    }

    bool cutWhereTurnsDiffer(const MeetingPlaces& places) {
        for (llvm::BasicBlock* block : llvm::post_order(&m_item)) {
            if (partThreads(*block, m_uniformity, m_next, places)) {
                m_next.add(Cut::Kind::parting, *block);
                return true;
            }
        }
        return false;
    }

    void findParts(const MeetingPlaces& places) {
        m_parts.clear();
        m_joins.clear();
        m_parted.clear();
        for (const Cut& cut : m_next.cuts()) {
            if (cut.kind != Cut::Kind::parting) {
                continue;
            }
            llvm::BasicBlock* join = places.after(*cut.block);
            const auto blocks = blocksBefore(join, *cut.block, m_next);
            m_parted.insert(blocks.begin(), blocks.end());
            m_parts.push_back({{blocks.begin(), blocks.end()}, join});
            m_joins.push_back(join);
        }
    }

    bool isJoin(const llvm::BasicBlock& block) const {
        return m_next.isCut(block) && m_next.cuts()[m_next.cutOf(block)].kind == Cut::Kind::join;
    }

    // The phis of a place where threads meet are of those that come, each by its own way: the cut is behind them.
    bool cutJoins() {
        bool changed = false;
        for (llvm::BasicBlock* join : m_joins) {
            if (join != nullptr && !isJoin(*join) && !m_cutBefore.contains(join)) {
                m_cutBefore.insert(join);
                m_next.add(Cut::Kind::join,
                           *llvm::splitBlockBefore(join, join->getFirstNonPHIIt(), nullptr, nullptr, nullptr, "join"));
                changed = true;
            }
        }
        return changed;
    }

    // All turns of a loop come from the same cut: then threads in it are in the same turn.
    bool turnsTogether(const llvm::Loop& loop) const {
        llvm::SmallVector<llvm::BasicBlock*, 4> latches;
        loop.getLoopLatches(latches);
        Blocks cuts;
        llvm::SetVector<const llvm::BasicBlock*> open(latches.begin(), latches.end());
        for (std::size_t i = 0; i < open.size(); ++i) {
            const llvm::BasicBlock* block = open[i];
            if (m_next.isCut(*block)) {
                cuts.insert(block);
            } else if (block == loop.getHeader()) {
                return false;
            } else {
                open.insert(llvm::pred_begin(block), llvm::pred_end(block));
            }
        }
        return cuts.size() == 1;
    }

    bool cutLoops() {
        bool changed = false;
        const llvm::DominatorTree dominators(m_item);
        const llvm::LoopInfo loops(dominators);
        for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
            llvm::SmallVector<llvm::BasicBlock*, 4> latches;
            loop->getLoopLatches(latches);
            const bool isParted =
                llvm::any_of(latches, [&](const llvm::BasicBlock* latch) { return m_parted.contains(latch); });
            if (isParted && !turnsTogether(*loop)) {
                llvm::BasicBlock* turn = llvm::SplitBlockPredecessors(loop->getHeader(), latches, ".turn");
                llvm::SplitBlock(turn, turn->getTerminator()); // the region behind has an entry of its own
                m_next.add(Cut::Kind::join, *turn);
                changed = true;
                break; // what is known of loops does not hold any more
            }
        }
        return changed;
    }

    // A wave may spin in a loop until another one, whose turn is behind the loop, has written. Fibres let it go on.
    bool mayWaitForOthers() const {
        const llvm::DominatorTree dominators(m_item);
        const llvm::LoopInfo loops(dominators);
        return llvm::any_of(m_item, [&](const llvm::BasicBlock& block) {
            return m_parted.contains(&block) && loops.getLoopFor(&block) != nullptr &&
                   m_parted.contains(loops.getLoopFor(&block)->getHeader()) &&
                   llvm::any_of(block, [](const llvm::Instruction& instruction) {
                       return (instruction.isAtomic() || instruction.isVolatile()) && !instruction.use_empty();
                   });
        });
    }

    llvm::Function& m_item;
    const Uniformity& m_uniformity;
    NextCuts& m_next;
    std::vector<Part> m_parts;
    std::vector<llvm::BasicBlock*> m_joins; // of the parts
    Blocks m_parted;
    Blocks m_cutBefore;
};

} // namespace

bool mayPart(llvm::Function& item, const Uniformity& uniformity, const NextCuts& next) {
    const MeetingPlaces places(item, next);
    return llvm::any_of(item,
                        [&](const llvm::BasicBlock& block) { return partThreads(block, uniformity, next, places); });
}

std::optional<std::vector<Part>> cutAtPartings(llvm::Function& item, const Uniformity& uniformity, NextCuts& next) {
    return PartingMaker(item, uniformity, next).make();
}

bool haveTurns(llvm::Function& item, const Places& places, const std::vector<Part>& parts) {
    const llvm::DominatorTree dominators(item);
    const bool leadOn = llvm::all_of(item, [&](const llvm::BasicBlock& block) {
        return llvm::all_of(llvm::successors(&block), [&](const llvm::BasicBlock* successor) {
            return places.lookup(&block) < places.lookup(successor) || dominators.dominates(successor, &block);
        });
    });
    return leadOn && llvm::all_of(parts, [&](const Part& part) {
               return part.join == nullptr || llvm::all_of(part.blocks, [&](const llvm::BasicBlock* block) {
                          return places.lookup(block) < places.lookup(part.join);
                      });
           });
}

} // namespace gks::hipcpu
