// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

// What evaluator and oracle say to each other: fixed-size records on a socket that keeps them apart, one reply for each
// request. A case's inputs come with it as a file in memory that can only be mapped for reading. Which values are asked
// for stands in one shared segment, the values come back in another; both have a fixed size, so no answer can be larger
// than what was asked for. The reference shares its process with the program that answers: what it says is the pack's
// word, and nothing of this machine is there to be taken.
namespace gks::oracle {

// Descriptors of the oracle's process.
inline constexpr int channelDescriptor = 3;
inline constexpr int questionDescriptor = 4; // slices; cannot be mapped writable
inline constexpr int answerDescriptor = 5;   // values

inline constexpr std::size_t tensorLimit = 16;
inline constexpr std::size_t dimLimit = 8;
inline constexpr std::size_t textLimitBytes = 256;
inline constexpr std::size_t sliceLimit = std::size_t{1} << 14; // of one request
inline constexpr std::size_t valueLimit = std::size_t{1} << 22; // of one request

// Elements [begin, end) of an output, whose values go to the answers from `at` on.
struct Slice {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::uint64_t at = 0;
};

enum class Verb : std::uint32_t {
    load,   // the reference's library
    open,   // a case: its shape and its inputs
    answer, // slices of an output of a case
    close,  // a case
};

inline constexpr std::uint64_t noInput = ~std::uint64_t{0};

struct Request {
    std::uint64_t sequence = 0; // the reply repeats it
    Verb verb = Verb::load;
    std::uint32_t number = 0; // of the case
    std::uint32_t tensorCount = 0;
    std::uint32_t output = 0;
    std::uint32_t sliceCount = 0;
    std::uint32_t grain = 1;      // slices that a thread takes at a time
    std::uint32_t magnitudes = 0; // of `answer`: not the values but their magnitudes
    std::uint32_t reserved = 0;
    std::uint64_t inputBytes = 0;                 // of `open`
    std::array<std::int64_t, dimLimit> dims = {}; // of `open`
    // Of `open`: where each tensor begins in the inputs, or noInput. Of `answer`: how many bytes behind that this time.
    std::array<std::uint64_t, tensorLimit> offsets = {};
};

enum class Failure : std::uint32_t {
    none,
    load,     // the library cannot be loaded or has no reference(), or no magnitude() where that is asked for
    memory,   // the inputs cannot be mapped
    protocol, // a request that makes no sense
};

struct Reply {
    std::uint64_t sequence = 0;
    Failure failure = Failure::none;
    std::uint32_t reserved = 0;
    std::uint64_t answered = 0; // values
    std::array<char, textLimitBytes> text = {};
};

} // namespace gks::oracle
