// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace gks::hipcpu {

// What AMD's command processor hands to a kernel: the queue packet (before code object version 5 the place of the block
// size) and the hidden arguments behind the explicit ones (from version 5 on). Only the launch dimensions are filled.
struct DispatchPacket {
    std::uint16_t header = 0;
    std::uint16_t setup = 3; // dimensions
    std::uint16_t blockSize[3] = {};
    std::uint16_t reserved0 = 0;
    std::uint32_t gridThreads[3] = {};
    std::uint32_t privateSegmentBytes = 0;
    std::uint32_t groupSegmentBytes = 0;
    std::uint64_t kernelObject = 0;
    std::uint64_t kernelArguments = 0;
    std::uint64_t reserved2 = 0;
    std::uint64_t completionSignal = 0;
};
static_assert(sizeof(DispatchPacket) == 64);

struct ImplicitArguments {
    std::uint32_t blockCount[3] = {};
    std::uint16_t blockSize[3] = {};
    std::uint16_t remainder[3] = {};
    std::uint8_t reserved0[16] = {};
    std::uint64_t globalOffset[3] = {};
    std::uint16_t gridDimensions = 3;
    std::uint8_t reserved1[190] = {};
};
static_assert(sizeof(ImplicitArguments) == 256 && offsetof(ImplicitArguments, globalOffset) == 40);

} // namespace gks::hipcpu
