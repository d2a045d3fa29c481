// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/edits.h"

#include "core/base/quantity.h"
#include "core/base/text.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fmt/format.h>
#include <set>

// Everything here is linear in the source for each edit: searching is memmem, which does not degrade on repetitive
// text, and the nearest place is found by the words that two lines share.
namespace gks {
namespace {

constexpr std::size_t shownPlaces = 8;
constexpr int shownLinesAround = 2;
constexpr std::size_t quotedLineLimitBytes = 200;
constexpr double nearLimit = 0.3; // share of words; below it no place is near

bool isSpace(char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}

std::size_t findFrom(std::string_view text, std::string_view part, std::size_t from) {
    if (from > text.size()) {
        return std::string_view::npos;
    }
    const void* const found = ::memmem(text.data() + from, text.size() - from, part.data(), part.size());
    return found == nullptr ? std::string_view::npos
                            : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

std::vector<std::size_t> occurrences(std::string_view text, std::string_view part) {
    std::vector<std::size_t> places;
    for (std::size_t at = findFrom(text, part, 0); at != std::string_view::npos && places.size() < shownPlaces;
         at = findFrom(text, part, at + 1)) {
        places.push_back(at);
    }
    return places;
}

// Every run of white space as one blank, and where each character of it stands in the original.
struct Collapsed {
    std::string text;
    std::vector<std::size_t> places;
};

Collapsed collapsed(std::string_view text) {
    Collapsed result;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (!isSpace(text[at])) {
            result.text += text[at];
            result.places.push_back(at);
        } else if (!result.text.empty() && result.text.back() != ' ') {
            result.text += ' ';
            result.places.push_back(at);
        }
    }
    if (!result.text.empty() && result.text.back() == ' ') {
        result.text.pop_back();
        result.places.pop_back();
    }
    return result;
}

std::size_t lineNumber(std::string_view text, std::size_t at) {
    const std::string_view before = text.substr(0, at);
    return static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
}

std::string lineNumbers(std::string_view source, const std::vector<std::size_t>& places) {
    std::vector<std::string> numbers;
    for (const std::size_t at : places) {
        numbers.push_back(std::to_string(lineNumber(source, at)));
    }
    return join(numbers, ", ") + (places.size() == shownPlaces ? ", ..." : "");
}

std::set<std::string_view> lineWords(std::string_view line) {
    std::set<std::string_view> words;
    for (std::size_t at = 0; at < line.size();) {
        const auto isWord = [&](std::size_t i) {
            return std::isalnum(static_cast<unsigned char>(line[i])) != 0 || line[i] == '_';
        };
        std::size_t end = at;
        while (end < line.size() && isWord(end)) {
            ++end;
        }
        if (end > at) {
            words.insert(line.substr(at, end - at));
        }
        at = std::max(end, at + 1);
    }
    return words;
}

// The lines round the one that shares most words with the most telling line of the search.
std::string nearestPlace(std::string_view source, std::string_view search) {
    std::set<std::string_view> wanted;
    for (const std::string_view line : lines(search)) {
        auto words = lineWords(line);
        wanted = words.size() > wanted.size() ? std::move(words) : std::move(wanted);
    }
    const std::vector<std::string_view> all = lines(source);
    std::size_t best = 0;
    double bestShare = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto words = lineWords(all[i]);
        const auto common = static_cast<double>(
            std::count_if(words.begin(), words.end(), [&](std::string_view word) { return wanted.contains(word); }));
        const double share = common / std::max(1.0, static_cast<double>(words.size() + wanted.size()) - common);
        if (share > bestShare) {
            bestShare = share;
            best = i;
        }
    }
    if (bestShare < nearLimit) {
        return {};
    }
    std::string text = fmt::format("; the nearest place is at line {}:", best + 1);
    const std::size_t first = best < shownLinesAround ? 0 : best - shownLinesAround;
    for (std::size_t i = first; i < std::min(all.size(), best + shownLinesAround + 1); ++i) {
        text += "\n" + abbreviated(all[i], quotedLineLimitBytes);
    }
    return text;
}

struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool exact = true;
};

Result<Span> place(std::string_view source, std::string_view search, const std::string& label) {
    const auto places = occurrences(source, search);
    if (places.size() == 1) {
        return Span{places.front(), places.front() + search.size(), true};
    }
    if (places.size() > 1) {
        return usageError(
            fmt::format("{}: the search text matches several places (lines {}); include more surrounding lines", label,
                        lineNumbers(source, places)));
    }
    const Collapsed loose = collapsed(source);
    const Collapsed wanted = collapsed(search);
    const auto loosePlaces = wanted.text.empty() ? std::vector<std::size_t>() : occurrences(loose.text, wanted.text);
    if (loosePlaces.size() == 1) {
        const std::size_t begin = loosePlaces.front();
        return Span{loose.places[begin], loose.places[begin + wanted.text.size() - 1] + 1, false};
    }
    if (loosePlaces.size() > 1) {
        return usageError(fmt::format("{}: its search text occurs several times when whitespace does not count; copy "
                                      "it exactly, with the lines round it",
                                      label));
    }
    return usageError(fmt::format("{}: the search text was not found{}", label, nearestPlace(source, search)));
}

Result<void> apply(std::string& source, const Edit& edit, const std::string& label) {
    if (edit.search.size() > editTextLimitBytes || edit.replace.size() > editTextLimitBytes) {
        return usageError(
            fmt::format("{}: more than {}; send the whole source instead", label, formatBytes(editTextLimitBytes)));
    }
    if (trimmed(edit.search).empty()) {
        return usageError(fmt::format("{}: its search text is empty; to add lines, search for the line before them and "
                                      "repeat it in the replacement",
                                      label));
    }
    if (edit.search == edit.replace) {
        return usageError(fmt::format("{}: search and replace are the same, so it changes nothing", label));
    }
    GKS_TRY_ASSIGN(const Span span, place(source, edit.search, label));
    // What was found without its white space keeps the indentation and the line end that stand round it.
    const std::string_view replacement = span.exact ? std::string_view(edit.replace) : trimmed(edit.replace);
    source.replace(span.begin, span.end - span.begin, replacement);
    return {};
}

} // namespace

Result<std::string> withEdits(std::string_view source, const std::vector<Edit>& edits, std::size_t limitBytes) {
    if (edits.empty()) {
        return usageError("edits: none, and no source");
    }
    if (edits.size() > editLimit) {
        return usageError(fmt::format("edits: {} of them; at most {} are allowed, send the whole source instead",
                                      edits.size(), editLimit));
    }
    std::string result(source);
    for (std::size_t i = 0; i < edits.size(); ++i) {
        GKS_TRY(apply(result, edits[i], fmt::format("edit {}", i + 1)));
        if (result.size() > limitBytes) {
            return usageError(
                fmt::format("edit {}: the source becomes larger than {}", i + 1, formatBytes(limitBytes)));
        }
    }
    return result;
}

} // namespace gks
