// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/edits.h"
#include "tests/fuzz/fuzz.h"

// Source, then pairs of search and replacement, parted by byte 1.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::vector<std::string> parts(1);
    for (const char c : gks::fuzz::text(data, size)) {
        c == '\x01' ? parts.emplace_back() : parts.back().push_back(c);
    }
    std::vector<gks::Edit> edits;
    for (std::size_t i = 1; i + 1 < parts.size(); i += 2) {
        edits.push_back({parts[i], parts[i + 1]});
    }
    constexpr std::size_t limitBytes = 4096;
    const auto result = gks::withEdits(parts.front(), edits, limitBytes);
    gks::fuzz::require(result ? result->size() <= limitBytes : !result.error().what.empty(), "bounded, or a reason");
    if (result && edits.size() == 1) {
        // What was not part of the edit is still there, at both ends.
        const std::string& source = parts.front();
        std::size_t same = 0;
        while (same < std::min(source.size(), result->size()) && source[same] == (*result)[same]) {
            ++same;
        }
        gks::fuzz::require(same == result->size() || same < source.size() || source.empty(), "something was changed");
    }
    return 0;
}
