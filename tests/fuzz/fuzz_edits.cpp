// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/edits.h"
#include "tests/fuzz/fuzz.h"

// Source, then pairs of search and replacement, parted by byte 1.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::vector<std::string> parts(1);
    for (const char c : gks::fuzz::text(data, size)) {
        if (c == '\x01') {
            parts.emplace_back();
        } else {
            parts.back().push_back(c);
        }
    }
    std::vector<gks::Edit> edits;
    for (std::size_t i = 1; i + 1 < parts.size(); i += 2) {
        edits.push_back({parts[i], parts[i + 1]});
    }
    constexpr std::size_t limitBytes = 4096;
    const auto result = gks::withEdits(parts.front(), edits, limitBytes);
    gks::fuzz::require(result ? result->size() <= limitBytes : !result.error().what.empty(), "bounded, or a reason");
    if (result && edits.size() == 1) {
        const std::string& source = parts.front();
        const std::string& search = edits.front().search;
        const std::size_t at = source.find(search);
        if (at != std::string::npos) { // byte for byte: nothing else moves
            gks::fuzz::require(source.find(search, at + 1) == std::string::npos, "an exact match is the only one");
            gks::fuzz::require(*result ==
                                   source.substr(0, at) + edits.front().replace + source.substr(at + search.size()),
                               "only what was found is replaced");
        }
    }
    return 0;
}
