// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/findings/finding.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gks::frozen {

// What the process with device code says of a fault that it has found in an access, as a line of what it prints. Device
// code could print the same: numbers go through, and of texts what a name of a source looks like. Whoever reads them
// puts them into words.
struct FindingWords {
    struct Place { // line 0: not known
        std::string file;
        std::uint32_t line = 0;
        std::uint32_t column = 0;

        bool operator==(const Place&) const = default;
    };

    hipcpu::FindingKind kind = hipcpu::FindingKind::outside;
    hipcpu::Finding::Access access = hipcpu::Finding::Access::read;
    hipcpu::Finding::Memory memory = hipcpu::Finding::Memory::none;
    std::uint32_t region = 0; // of a buffer, in the order of the opening
    std::uint64_t bytes = 0;
    std::uint64_t before = 0; // the start of the memory; or
    std::uint64_t into = 0;   // the memory
    std::uint64_t memoryBytes = 0;
    std::uint32_t alignment = 1;
    std::uint32_t seconds = 0;
    std::string name;   // of the memory in the source
    std::string symbol; // of the kernel
    std::array<std::uint32_t, 3> block = {};
    std::array<std::uint32_t, 3> thread = {};
    Place place;
    Place other;

    bool operator==(const FindingWords&) const = default;
};

inline constexpr std::size_t findingLimit = 8; // of a process; later ones are left out

std::string lineOf(const FindingWords& words);
// All of such lines that make sense, up to the limit.
inline constexpr std::string_view findingLineBegin = "hipcpu: found ";
inline constexpr std::string_view raceLineBegin = "hipcpu: races "; // see race_words.h
std::vector<FindingWords> findingsIn(std::string_view printed);
// What is left without such lines and those of races.
std::string withoutFindings(std::string_view printed);

// A name as sources have them, else nothing: what lets no sentence through.
std::string soundName(std::string_view name);
std::string soundFile(std::string_view path); // its last part

} // namespace gks::frozen
