// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/read_notes.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// What evaluator and keeper say to each other on a socket: fixed-size records, and behind `open` a text, behind a reply
// notes. The keeper holds no device code and no tensor; see keeper.cpp.
namespace gks::frozen {

// Descriptors of the keeper. Of these the process with the device code keeps the two segments.
inline constexpr int channelDescriptor = 3;
inline constexpr int inputDescriptor = 4;  // sealed, cannot be mapped writable
inline constexpr int outputDescriptor = 5; // outputs and workspace

enum class Verb : std::uint32_t {
    open, // a process with what the text describes (Opening), which then stands still; one that was there is ended
    call, // let it go on until it has done this
    quit,
};
// nothing: what a call takes that does nothing. restore: variables of the module are as they were after the setup, and
// LDS is empty.
enum class Which : std::uint8_t { nothing, restore, setup, plan };

struct Command {
    std::uint64_t sequence = 0;
    Verb verb = Verb::quit;
    Which which = Which::nothing;
    std::uint64_t textBytes = 0;
};

enum class Outcome : std::uint32_t {
    done,    // and the process stands still
    refused, // it could not be made ready; `text` says why
    ended,   // the process is gone
};
struct Reply {
    std::uint64_t sequence = 0;
    Outcome outcome = Outcome::done;
    std::int32_t status = -1;     // of a process that exited
    std::int32_t signal = 0;      // of one that was killed
    std::int64_t nanoseconds = 0; // of a call: from before the process went on until it stood still
    std::array<char, 512> text = {};
    std::uint32_t readCount = 0; // so many hipcpu::ReadNote follow; they are the device process's claims
    std::uint32_t reserved = 0;
};

// A piece of a segment at a fixed address, with guard pages on both sides. `bytes`, `address` and `offset` are whole
// pages; `data` is what belongs to the tensor in it. Behind it lie readableBytes that read as zeros.
struct Region {
    std::string name;
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    std::uint64_t offset = 0;
    std::uint64_t dataAddress = 0;
    std::uint64_t dataBytes = 0;
    bool isOutput = false; // of the output segment, and writable

    bool operator==(const Region&) const = default;
};

inline constexpr std::uint64_t guardBytes = std::uint64_t{64} << 10;   // a row too far should still hit it
inline constexpr std::uint64_t readableBytes = std::uint64_t{2} << 20; // see core/hipcpu/runtime/device_memory.h
// Where regions begin: far from what loaders and allocators use.
inline constexpr std::uint64_t firstAddress = std::uint64_t{0x2000} << 32;

} // namespace gks::frozen
