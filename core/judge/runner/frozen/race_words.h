// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/runner/frozen/finding_words.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gks::frozen {

// What the process with device code says of races behind a call, as a line of what it prints. Device code could print
// the same: numbers alone go through, and whoever reads them puts them into words.
struct RaceWords {
    struct Side {
        std::uint32_t operation = 0; // of the plan
        std::uint64_t block = 0;     // x fastest
        std::uint32_t wave = 0;      // of the block
        bool writes = false;
        FindingWords::Place place = {};

        bool operator==(const Side&) const = default;
    };
    struct Race {
        Side first;
        Side second;
        bool isLds = false;
        std::uint64_t at = 0; // address; in LDS and in a variable from its start
        std::string variable; // symbol; empty: none that the host can name
        bool isLostUpdate = false;
        std::string name = {}; // of the memory in the source

        bool operator==(const Race&) const = default;
    };
    std::uint64_t accesses = 0; // to memory that blocks or waves share, as far as it looked
    bool isComplete = true;     // to the end
    std::optional<Race> race;   // the first

    bool operator==(const RaceWords&) const = default;
};

std::string lineOf(const RaceWords& words);
// The last of such lines; nothing where there is none, or where it makes no sense.
std::optional<RaceWords> racesIn(std::string_view printed);

} // namespace gks::frozen
