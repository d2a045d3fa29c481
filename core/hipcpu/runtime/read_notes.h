// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace gks::hipcpu {

// Reads past the end of buffers as numbers, for another process that shares the memory: text would be as good as any
// that device code prints. Device code can write here too; whoever reads it checks every number.
struct ReadNote {
    std::uint64_t address = 0;
    std::array<std::uint32_t, 3> block = {};
    std::array<std::uint32_t, 3> thread = {};
    std::uint32_t hasThread = 0;
    std::uint32_t reserved = 0;
    std::array<char, 192> kernel = {}; // the beginning of its symbol
};

struct ReadNotes {
    static constexpr std::uint32_t limit = 32; // the first read of each buffer
    std::atomic<std::uint32_t> count{0};
    std::array<ReadNote, limit> notes;
};

} // namespace gks::hipcpu
