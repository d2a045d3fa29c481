// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/report_check.h"

#include "core/base/text.h"
#include "core/campaign/normalized_source.h"
#include "core/scientist/briefing_text.h"
#include "core/scientist/change_text.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace gks {
namespace {

constexpr std::size_t itemLimitBytes = 500;
constexpr std::size_t evidenceLimitBytes = 300;
constexpr std::size_t reportLimitBytes = 8000;
constexpr double sameItemShare = 0.6; // of the words of a rubric line that a row of the report repeats
constexpr std::string_view emptyChange = "only comments, formatting or names changed";

bool hasLower(std::string_view word) {
    return std::any_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

// Names of the language of code, which no sentence has by chance: with an underscore, or with a capital inside.
bool isIdentifier(std::string_view word) {
    if (word.size() < 3 || std::isdigit(static_cast<unsigned char>(word.front())) != 0) {
        return false;
    }
    const bool camel = std::islower(static_cast<unsigned char>(word.front())) != 0 &&
                       std::any_of(word.begin(), word.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    return word.find('_') != std::string_view::npos || (camel && hasLower(word));
}

bool isNumber(std::string_view word) {
    return word.size() >= 2 && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Items that take something away, or leave it out: what they name need not be in the change.
bool takesAway(std::string_view item) {
    static const std::set<std::string> words{"remove",  "removes", "removed", "drop",    "drops", "delete", "without",
                                             "no",      "not",     "never",   "instead", "avoid", "keep",   "keeps",
                                             "nothing", "from",    "replace", "than",    "only",  "leave",  "rather"};
    const std::string text = lowered(item);
    for (const std::string_view word : gks::words(text)) {
        if (words.contains(std::string(word))) {
            return true;
        }
    }
    return false;
}

std::set<std::string> wordSet(std::string_view text) {
    const auto found = words(text);
    return {found.begin(), found.end()};
}

bool speaksOf(const RubricItem& row, std::string_view line) {
    const auto wanted = wordSet(lowered(line));
    const auto said = wordSet(lowered(row.item));
    const auto common =
        std::count_if(wanted.begin(), wanted.end(), [&](const auto& word) { return said.contains(word); });
    return wanted.empty() || static_cast<double>(common) >= sameItemShare * static_cast<double>(wanted.size());
}

std::string withoutBullet(std::string_view line) {
    std::string_view text = trimmed(line);
    while (!text.empty() && std::string_view("-*.)0123456789 ").find(text.front()) != std::string_view::npos &&
           (text.front() != '*' || text.size() < 2 || text[1] == ' ')) {
        text.remove_prefix(1);
    }
    return text.empty() ? std::string(trimmed(line)) : std::string(text);
}

} // namespace

std::vector<RubricItem> rubricFromReport(const Json& report, std::string_view rubric) {
    std::vector<RubricItem> items;
    for (const Json& row : report) {
        if (items.size() < rubricItemLimit) {
            items.push_back({oneLine(row.at("item").get<std::string>(), itemLimitBytes), row.at("used").get<bool>(),
                             oneLine(row.at("note").get<std::string>(), itemLimitBytes)});
        }
    }
    const std::size_t rows = items.size();
    // When the rows are as many as the lines they answer them in order, whatever words they choose.
    std::vector<std::string> asked;
    for (const std::string_view line : lines(rubric)) {
        if (!trimmed(line).empty()) {
            asked.push_back(withoutBullet(line));
        }
    }
    if (rows >= asked.size()) {
        return items;
    }
    for (const std::string& line : asked) {
        const bool answered = std::any_of(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(rows),
                                          [&](const RubricItem& row) { return speaksOf(row, line); });
        if (!answered && items.size() < rubricItemLimit) {
            items.push_back({oneLine(line, itemLimitBytes), false, "not mentioned in the report"});
        }
    }
    return items;
}

std::vector<std::string> namedThings(std::string_view item) {
    std::vector<std::string> things;
    for (const std::string_view word : words(item)) {
        const bool isNew = std::find(things.begin(), things.end(), word) == things.end();
        if (isNew && (isIdentifier(word) || isNumber(word))) {
            things.emplace_back(word);
        }
    }
    // What stands in backquotes is meant as code, also when it looks like a plain word: `restrict`.
    for (std::size_t at = item.find('`'); at != std::string_view::npos;) {
        const std::size_t end = item.find('`', at + 1);
        if (end == std::string_view::npos) {
            break;
        }
        for (const std::string_view word : words(item.substr(at + 1, end - at - 1))) {
            if (word.size() > 2 && std::find(things.begin(), things.end(), word) == things.end()) {
                things.emplace_back(word);
            }
        }
        at = item.find('`', end + 1);
    }
    return things;
}

void checkAgainstChange(std::vector<RubricItem>& rubric, std::string_view before, std::string_view after) {
    const bool same = normalizedSource(before) == normalizedSource(after);
    const ChangedLines changed = changedLines(before, after);
    const auto words = wordSet(changed.added + changed.removed);
    const auto all = wordSet(after);
    for (RubricItem& item : rubric) {
        if (!item.claimed) {
            continue;
        }
        if (same) {
            item.confirmed = false;
            item.evidence = emptyChange;
            continue;
        }
        const std::vector<std::string> things = namedThings(item.item);
        const bool found = std::any_of(things.begin(), things.end(), [&](const auto& t) { return words.contains(t); });
        if (things.empty() || found || takesAway(item.item)) {
            continue;
        }
        const bool anywhere = std::any_of(things.begin(), things.end(), [&](const auto& t) { return all.contains(t); });
        item.confirmed = false;
        item.evidence = fmt::format("{} not in any changed line{}",
                                    oneLine(join(things, ", "), 120) + (things.size() == 1 ? " is" : " are"),
                                    anywhere ? "" : " or elsewhere in the source");
    }
}

Result<void> applyCheck(std::vector<RubricItem>& rubric, const Json& reply) {
    for (const Json& entry : reply.at("items")) {
        const auto number = entry.at("number").get<std::size_t>();
        if (number < 1 || number > rubric.size()) {
            return usageError(fmt::format("items: item {} is not in the report", number));
        }
        RubricItem& item = rubric[number - 1];
        const std::string verdict = entry.at("verdict").get<std::string>();
        if (verdict == "unclear" || item.evidence == emptyChange) {
            continue;
        }
        const std::string evidence = oneLine(entry.at("evidence").get<std::string>(), evidenceLimitBytes);
        const bool done = verdict == "done";
        item.evidence = item.confirmed == false && done && !item.evidence.empty()
                            ? evidence + " (but " + item.evidence + ")"
                            : evidence;
        item.confirmed = done;
    }
    return {};
}

std::string reportText(const std::vector<RubricItem>& rubric) {
    std::vector<std::string> rows;
    for (const RubricItem& item : rubric) {
        std::string check;
        if (item.confirmed && *item.confirmed != item.claimed) {
            check = fmt::format(" [{}: {}]", item.claimed ? "doubted" : "yet the code has it", item.evidence);
        } else if (item.confirmed) {
            check = " [confirmed by the code]";
        }
        rows.push_back(fmt::format("- {}: {} ({}){}", item.claimed ? "used" : "not used", item.item, item.note, check));
    }
    return abbreviated(join(rows, "\n"), reportLimitBytes);
}

} // namespace gks
