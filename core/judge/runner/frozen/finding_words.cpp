// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/runner/frozen/finding_words.h"

#include "core/base/text.h"
#include "core/judge/plan/strict_fields.h"

#include <algorithm>

namespace gks::frozen {
namespace {

constexpr const char* ofFindings = "findings";
constexpr std::size_t nameLimitBytes = 64;
constexpr std::size_t findingLineLimitBytes = 2 * planSymbolLimitBytes;

bool isSound(std::string_view text, std::string_view more) {
    return text.size() <= nameLimitBytes && std::all_of(text.begin(), text.end(), [&](char letter) {
               return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                      (letter >= '0' && letter <= '9') || letter == '_' || more.find(letter) != std::string_view::npos;
           });
}

Json toJson(const FindingWords::Place& place) {
    return {{"file", place.file}, {"line", place.line}, {"column", place.column}};
}

bool readPlace(const Json& json, FindingWords::Place& place) {
    StrictFields fields(json, ofFindings);
    fields.text("file", place.file, nameLimitBytes);
    fields.number("line", place.line);
    fields.number("column", place.column);
    return fields.finish().has_value() && soundFile(place.file) == place.file;
}

bool readTriple(StrictFields& fields, const char* key, std::array<std::uint32_t, 3>& into) {
    std::vector<std::uint32_t> values;
    fields.numbers(key, values, into.size(), ~std::uint32_t{0});
    if (values.size() != into.size()) {
        return false;
    }
    std::copy(values.begin(), values.end(), into.begin());
    return true;
}

std::optional<FindingWords> findingFrom(const Json& json) {
    FindingWords words;
    std::uint32_t kind = 0, access = 0, memory = 0;
    StrictFields fields(json, ofFindings);
    fields.number("kind", kind, hipcpu::findingKinds - 1);
    fields.number("access", access, static_cast<std::uint32_t>(hipcpu::Finding::Access::update));
    fields.number("memory", memory, static_cast<std::uint32_t>(hipcpu::Finding::Memory::privateArray));
    fields.number("region", words.region);
    fields.number("bytes", words.bytes);
    fields.number("before", words.before);
    fields.number("into", words.into);
    fields.number("memory_bytes", words.memoryBytes);
    fields.number("alignment", words.alignment);
    fields.number("seconds", words.seconds);
    fields.text("name", words.name, nameLimitBytes);
    fields.text("symbol", words.symbol, planSymbolLimitBytes);
    const bool hasBlock = readTriple(fields, "block", words.block);
    const bool hasThread = readTriple(fields, "thread", words.thread);
    const Json* const place = fields.object("place");
    const Json* const other = fields.object("other");
    if (!fields.finish() || !hasBlock || !hasThread || !readPlace(*place, words.place) ||
        !readPlace(*other, words.other) || soundName(words.name) != words.name) {
        return std::nullopt;
    }
    words.kind = static_cast<hipcpu::FindingKind>(kind);
    words.access = static_cast<hipcpu::Finding::Access>(access);
    words.memory = static_cast<hipcpu::Finding::Memory>(memory);
    return words;
}

} // namespace

std::string soundName(std::string_view name) {
    return isSound(name, ".") ? std::string(name) : std::string();
}

std::string soundFile(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    const std::string_view file = slash == std::string_view::npos ? path : path.substr(slash + 1);
    return isSound(file, ".-+") ? std::string(file) : std::string();
}

std::string lineOf(const FindingWords& words) {
    const Json json = {{"kind", static_cast<std::uint32_t>(words.kind)},
                       {"access", static_cast<std::uint32_t>(words.access)},
                       {"memory", static_cast<std::uint32_t>(words.memory)},
                       {"region", words.region},
                       {"bytes", words.bytes},
                       {"before", words.before},
                       {"into", words.into},
                       {"memory_bytes", words.memoryBytes},
                       {"alignment", words.alignment},
                       {"seconds", words.seconds},
                       {"name", words.name},
                       {"symbol", words.symbol},
                       {"block", words.block},
                       {"thread", words.thread},
                       {"place", toJson(words.place)},
                       {"other", toJson(words.other)}};
    return "\n" + std::string(findingLineBegin) + json.dump() + "\n"; // device code may have printed half a line
}

std::vector<FindingWords> findingsIn(std::string_view printed) {
    std::vector<FindingWords> all;
    for (std::size_t at = printed.find(findingLineBegin); at != std::string_view::npos && all.size() < findingLimit;
         at = printed.find(findingLineBegin, at + 1)) {
        const std::string_view rest = printed.substr(at + findingLineBegin.size());
        const auto json = parseHostileJson(rest.substr(0, rest.find('\n')), findingLineLimitBytes, ofFindings);
        if (auto words = json ? findingFrom(*json) : std::nullopt) {
            all.push_back(std::move(*words));
        }
    }
    return all;
}

std::string withoutFindings(std::string_view printed) {
    std::string rest;
    for (const std::string_view line : lines(printed)) {
        if (!line.empty() && !line.starts_with(findingLineBegin) && !line.starts_with(raceLineBegin)) {
            rest += std::string(line) + "\n";
        }
    }
    return rest;
}

} // namespace gks::frozen
