// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/retarget/places.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace llvm {
class BasicBlock;
class Function;
} // namespace llvm

namespace gks::hipcpu {

class NextCuts;
class Uniformity;

// What lies between a branch at which threads part and the place where they meet again.
struct Part {
    std::vector<const llvm::BasicBlock*> blocks;
    const llvm::BasicBlock* join = nullptr; // a cut of that kind; null: they meet no more before they end
};

inline constexpr std::size_t mostPartedRegions = 254; // a thread names the one that it waits for in a byte

// Whether threads part somewhere and come to a cut before they meet again.
bool mayPart(llvm::Function& item, const Uniformity& uniformity, const NextCuts& next);

// Cuts where threads part before they come to a cut, where they meet again, and where a loop turns that they may leave
// at different times: so those of a wave that come to an exchange together are the ones that a card would have there.
// Nothing when what lies between asks for the whole block: only fibres can tell who lacks there.
std::optional<std::vector<Part>> cutAtPartings(llvm::Function& item, const Uniformity& uniformity, NextCuts& next);

// That each thread comes to its regions in the order of the places of their begins, but for the turns of loops, and to
// where it meets others last.
bool haveTurns(llvm::Function& item, const Places& places, const std::vector<Part>& parts);

} // namespace gks::hipcpu
