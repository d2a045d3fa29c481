// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What checks of device code find, for a runtime that prints it and for a judge that makes a verdict of it.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace gks::hipcpu {

enum class FindingKind : std::uint32_t {
    outside,       // an access that leaves its memory
    freed,         // of memory that was freed
    unwritten,     // a read of what nobody has written
    misaligned,    // at an address that does not suit its type
    race,          // with another access that nothing orders
    lostUpdate,    // two write back what they have made of the same value
    partedBarrier, // lanes of a wave wait at different barriers
    endless,       // a block does not come to its end
};
inline constexpr std::uint32_t findingKinds = 8;
std::string_view name(FindingKind kind); // "outside", "freed", "unwritten", ...

struct SourcePlace {
    std::string file; // empty: not known
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};
std::string placeText(const SourcePlace& place); // "scale.hip:8:14", or an empty text

// All texts may be from the source of a kernel: whoever fills them in has cleaned them.
struct Finding {
    enum class Access : std::uint32_t { read, write, update };
    enum class Memory : std::uint32_t { none, buffer, lds, ldsVariable, variable, privateArray };

    FindingKind kind = FindingKind::outside;
    Access access = Access::read;
    std::uint64_t bytes = 0; // of the access
    std::string name;        // of the memory in the source; empty: it has none
    Memory memoryKind = Memory::none;
    std::string memory;      // "a 400-byte hipMalloc buffer (allocation 2)"; empty: none of the device
    std::int64_t offset = 0; // of the access, from the memory's start
    std::uint64_t memoryBytes = 0;
    std::uint64_t alignment = 1;
    bool isHarmless = false; // misaligned for its type in the source alone: devices do not need more
    SourcePlace place;
    std::string other; // of a race: "block (1,0,0)", "wave 2 of the block"
    bool otherWrites = false;
    bool isInOneBlock = false;
    SourcePlace otherPlace;    // of a race, and the other barrier
    std::uint64_t seconds = 0; // without an end
    std::string kernel;        // readable
    std::string symbol;        // of the kernel
    std::array<std::uint32_t, 3> block = {};
    std::array<std::uint32_t, 3> thread = {};
    bool hasThread = false;
    std::uint32_t wave = 0; // of the block; where no thread is known
};

// One line: what, which memory, which kernel, block and thread, where in the source.
std::string findingText(const Finding& finding);
// Without the kernel and what follows it.
std::string whatText(const Finding& finding);
std::string indexText(const std::array<std::uint32_t, 3>& index); // "(1,0,0)"

} // namespace gks::hipcpu
