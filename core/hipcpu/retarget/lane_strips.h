// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/abi.h"

#include <cstdint>
#include <vector>

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace gks::hipcpu {

// Threads that stand side by side in a row of a block and in the lanes of vector registers.
inline constexpr std::uint32_t laneStrip = stripThreads;

// Two indices of a thread, each as the index of its strip's first thread, which laneStrip divides, "or" its lane.
struct LaneStrip {
    llvm::Instruction* x;
    llvm::Instruction* linear;
};

// Takes what is computed from such indices apart: 16 s + l divided by 32 is the same for all lanes, and its remainder
// grows by one from lane to lane. No vectoriser sees that by itself.
void useLaneStrips(llvm::Function& function, const std::vector<LaneStrip>& strips);

} // namespace gks::hipcpu
