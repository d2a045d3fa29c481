// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/regions.h"

#include "core/hipcpu/retarget/crossings.h"
#include "core/hipcpu/retarget/item_function.h"
#include "core/hipcpu/retarget/next_cuts.h"
#include "core/hipcpu/retarget/partings.h"
#include "core/hipcpu/retarget/shared_code.h"
#include "core/hipcpu/retarget/uniformity.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <numeric>

namespace gks::hipcpu {
namespace {

constexpr std::size_t mostRegions = 512; // beyond that the code grows out of proportion

// What a call says with constants; false where it does not.
bool readConstants(const llvm::CallInst& call, const PrivateStorage& storage, Cut& cut) {
    llvm::Type* number = llvm::Type::getInt32Ty(call.getContext());
    const auto take = [&](llvm::Value* value) {
        auto* constant = llvm::dyn_cast<llvm::Constant>(value);
        cut.constants.push_back(constant);
        return constant != nullptr;
    };
    if (cut.kind == Cut::Kind::barrier) {
        return call.arg_empty() || take(call.getArgOperand(0));
    }
    if (cut.kind == Cut::Kind::vote) {
        return take(call.getArgOperand(1)) && take(call.getArgOperand(2));
    }
    const auto takePlace = [&](const llvm::Value* address) {
        llvm::APInt offset(64, 0);
        const auto found = storage.places.find(
            address->stripAndAccumulateConstantOffsets(call.getFunction()->getDataLayout(), offset, true));
        const bool none = llvm::isa<llvm::ConstantPointerNull>(address);
        if (found == storage.places.end() && !none) {
            return false;
        }
        cut.constants.push_back(
            llvm::ConstantInt::get(number, none ? ~std::uint32_t{0} : found->second + offset.getZExtValue()));
        return true;
    };
    bool known = take(call.getArgOperand(0));
    for (unsigned i = 1; i <= 4; ++i) {
        known = known && takePlace(call.getArgOperand(i));
    }
    for (unsigned i = 5; i <= 7; ++i) {
        known = known && take(call.getArgOperand(i));
    }
    return known;
}

// Loops that all threads go through together become loops of the block with a loop over its threads inside: the
// innermost loop is the one that is vectorised.
void cutUniformLoops(llvm::Function& item, const Uniformity& uniformity, NextCuts& next) {
    llvm::DominatorTree dominators(item);
    llvm::LoopInfo loops(dominators);
    for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
        llvm::SmallVector<llvm::BasicBlock*, 4> exits;
        loop->getExitingBlocks(exits);
        const bool together = llvm::all_of(exits, [&](llvm::BasicBlock* block) {
            return uniformity.hasUniformEnd(*block) && uniformity.isReachedByAll(*block);
        });
        if (!together || exits.empty()) {
            continue;
        }
        for (llvm::BasicBlock* block : exits) {
            if (!next.isCut(*block)) {
                next.add(Cut::Kind::decision, *block);
            }
        }
    }
}

// False when threads may part before a cut, unless it is that some of them end.
bool cutAtDecisions(llvm::Function& item, const Uniformity& uniformity, NextCuts& next) {
    for (next.find();;) {
        llvm::BasicBlock* found = nullptr;
        for (llvm::BasicBlock* block : llvm::post_order(&item)) {
            if (hasSeveralEnds(*block) && !next.isCut(*block) && next.from(*block).count() > 1 &&
                uniformity.hasUniformEnd(*block)) {
                found = block;
                break;
            }
        }
        if (found == nullptr) {
            break;
        }
        next.add(Cut::Kind::decision, *found);
        next.find();
    }
    return llvm::all_of(item, [&](const llvm::BasicBlock& block) {
        const llvm::BitVector& cuts = next.from(block);
        return cuts.count() <= (cuts.test(next.end()) ? 2U : 1U);
    });
}

void splitEdgesOfDecisions(NextCuts& next) {
    for (const Cut& cut : next.cuts()) {
        if (cut.kind != Cut::Kind::decision && cut.kind != Cut::Kind::parting) {
            continue;
        }
        llvm::Instruction* terminator = cut.block->getTerminator();
        for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i) {
            // Not SplitEdge, which leaves an edge alone that nobody else uses, with its phis, and joins equal ones.
            llvm::BasicBlock* successor = terminator->getSuccessor(i);
            auto* edge = llvm::BasicBlock::Create(successor->getContext(), "edge", successor->getParent(), successor);
            llvm::BranchInst::Create(successor, edge);
            terminator->setSuccessor(i, edge);
            for (llvm::PHINode& phi : successor->phis()) {
                phi.setIncomingBlock(static_cast<unsigned>(phi.getBasicBlockIndex(cut.block)), edge);
            }
        }
    }
}

std::vector<llvm::BasicBlock*> blocksFrom(llvm::BasicBlock& entry, const NextCuts& next) {
    llvm::SetVector<llvm::BasicBlock*> blocks;
    blocks.insert(&entry);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (!next.isCut(*blocks[i])) {
            blocks.insert(llvm::succ_begin(blocks[i]), llvm::succ_end(blocks[i]));
        }
    }
    return {blocks.begin(), blocks.end()};
}

// Regions of a function whose threads part have their numbers in the order of their turns.
void order(Regions& regions, const Places& places) {
    std::vector<unsigned> sorted(regions.regions.size());
    std::iota(sorted.begin(), sorted.end(), 0U);
    llvm::stable_sort(sorted, [&](unsigned a, unsigned b) {
        return places.lookup(regions.regions[a].entry) < places.lookup(regions.regions[b].entry);
    });
    std::vector<unsigned> number(sorted.size());
    std::vector<Region> moved;
    for (unsigned i = 0; i < sorted.size(); ++i) {
        number[sorted[i]] = i;
        moved.push_back(std::move(regions.regions[sorted[i]]));
    }
    regions.regions = std::move(moved);
    for (Cut& cut : regions.cuts) {
        for (unsigned& region : cut.regions) {
            region = number[region];
        }
    }
}

void markParted(Regions& regions, const std::vector<Part>& parts) {
    regions.mayPart = true;
    for (const Part& part : parts) {
        regions.parted.insert(part.blocks.begin(), part.blocks.end());
    }
    for (Cut& cut : regions.cuts) {
        cut.isParted = cut.kind == Cut::Kind::parting || regions.parted.contains(cut.block);
    }
    for (Cut& cut : regions.cuts) { // whoever comes to a join comes from within
        if (cut.kind == Cut::Kind::join) {
            cut.isParted = true;
            regions.parted.insert(cut.block);
        }
    }
    for (const Cut& cut : regions.cuts) {
        for (const unsigned region : cut.regions) {
            Region& next = regions.regions[region];
            next.isParted = cut.isParted && (cut.kind != Cut::Kind::join || regions.parted.contains(next.entry));
        }
    }
}

} // namespace

std::optional<Regions> regionsOf(llvm::Function& item, const PrivateStorage& storage) {
    Regions result;
    NextCuts next(item);
    std::vector<Part> parts;
    {
        const Uniformity uniformity(item);
        cutUniformLoops(item, uniformity, next);
        if (!cutAtDecisions(item, uniformity, next) || mayPart(item, uniformity, next)) {
            auto found = cutAtPartings(item, uniformity, next);
            if (!found) {
                return {};
            }
            parts = std::move(*found);
        }
    }
    splitEdgesOfDecisions(next);
    if (parts.empty()) { // otherwise regions have their turns by their places
        cutBeforeSharedCode(item, next);
    }
    next.find();
    result.cuts = next.cuts();
    for (Cut& cut : result.cuts) {
        if ((cut.kind == Cut::Kind::barrier || cut.kind == Cut::Kind::vote || cut.kind == Cut::Kind::matrix) &&
            !readConstants(llvm::cast<llvm::CallInst>(*synchronisationOf(*cut.block)), storage, cut)) {
            return {};
        }
    }
    result.cuts.push_back({});
    llvm::DenseMap<const llvm::BasicBlock*, unsigned> known;
    const auto regionAt = [&](llvm::BasicBlock& entry) {
        const auto [place, isNew] = known.try_emplace(&entry, static_cast<unsigned>(result.regions.size()));
        if (isNew) {
            const llvm::BitVector& cuts = next.from(entry);
            const int cut = cuts.find_first(); // the end is the last one
            const bool mayEnd = cuts.count() > 1;
            result.mayEndEarly = result.mayEndEarly || mayEnd;
            result.regions.push_back(
                {&entry, blocksFrom(entry, next), cut < 0 ? next.end() : static_cast<unsigned>(cut), mayEnd});
        }
        return place->second;
    };
    regionAt(item.getEntryBlock());
    const std::size_t most = parts.empty() ? mostRegions : mostPartedRegions;
    for (std::size_t i = 0; i < result.regions.size() && i < most; ++i) {
        Cut& cut = result.cuts[result.regions[i].cut];
        if (cut.block != nullptr && cut.regions.empty()) {
            for (llvm::BasicBlock* successor : llvm::successors(cut.block)) {
                cut.regions.push_back(regionAt(*successor));
            }
        }
    }
    if (result.regions.size() > most) {
        return {};
    }
    if (!parts.empty()) {
        const Places places = placesOf(item);
        if (!haveTurns(item, places, parts)) {
            return {};
        }
        order(result, places);
        markParted(result, parts);
    }
    findCrossings(item, Uniformity(item), result);
    return result;
}

} // namespace gks::hipcpu
