// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/scientist/edits.h"
#include "tests/fuzz/fuzz.h"

#include <cctype>
#include <optional>

namespace {

constexpr std::size_t limitBytes = 4096;

bool isSpace(char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}

std::size_t spacesAt(std::string_view text, std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && isSpace(text[end])) {
        ++end;
    }
    return end - at;
}

// Where a match of `search` that begins at `at` ends, every run of white space as good as any other.
std::optional<std::size_t> looseEnd(std::string_view source, std::size_t at, std::string_view search) {
    for (std::size_t i = 0; i < search.size();) {
        if (const std::size_t wanted = spacesAt(search, i); wanted > 0) {
            const std::size_t found = spacesAt(source, at);
            if (found == 0) {
                return {};
            }
            at += found;
            i += wanted;
        } else if (at < source.size() && source[at] == search[i]) {
            ++at;
            ++i;
        } else {
            return {};
        }
    }
    return at;
}

// One edit the slow way: every place is tried.
std::optional<std::string> edited(const std::string& source, const gks::Edit& edit) {
    const std::string_view core = gks::trimmed(edit.search);
    if (core.empty() || edit.search == edit.replace || edit.search.size() > gks::editTextLimitBytes ||
        edit.replace.size() > gks::editTextLimitBytes) {
        return {};
    }
    std::vector<std::size_t> exact;
    std::vector<std::pair<std::size_t, std::size_t>> loose;
    for (std::size_t at = 0; at < source.size(); ++at) {
        if (source.compare(at, edit.search.size(), edit.search) == 0) {
            exact.push_back(at);
        }
        if (const auto end = looseEnd(source, at, core)) {
            loose.emplace_back(at, *end);
        }
    }
    if (exact.size() == 1) {
        return source.substr(0, exact[0]) + edit.replace + source.substr(exact[0] + edit.search.size());
    }
    if (!exact.empty() || loose.size() != 1) {
        return {};
    }
    return source.substr(0, loose[0].first) + std::string(gks::trimmed(edit.replace)) + source.substr(loose[0].second);
}

std::optional<std::string> editedByAll(std::string source, const std::vector<gks::Edit>& edits) {
    if (edits.empty() || edits.size() > gks::editLimit) {
        return {};
    }
    for (const gks::Edit& edit : edits) {
        auto next = edited(source, edit);
        if (!next || next->size() > limitBytes) {
            return {};
        }
        source = std::move(*next);
    }
    return source;
}

} // namespace

// Source, then pairs of search and replacement, parted by byte 1.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::vector<std::string> parts = gks::split(gks::fuzz::text(data, size), '\x01');
    std::vector<gks::Edit> edits;
    for (std::size_t i = 1; i + 1 < parts.size(); i += 2) {
        edits.push_back({parts[i], parts[i + 1]});
    }
    const auto result = gks::withEdits(parts.front(), edits, limitBytes);
    const auto expected = editedByAll(parts.front(), edits);
    gks::fuzz::require(result.has_value() == expected.has_value(), "refused exactly where a plain search refuses");
    gks::fuzz::require(!result || *result == *expected, "byte for byte what a plain search and replace gives");
    gks::fuzz::require(result || !result.error().what.empty(), "or a reason");
    return 0;
}
