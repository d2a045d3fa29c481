// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/tunables.h"

#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/campaign/normalized_source.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>

// A tunable is declared by a line comment and set by a #define, on one line or on two; a condition stands anywhere:
//     #define TILE_M 32          // @tune TILE_M 16 32 64
//     // @tune-if TILE_M * TILE_N <= 4096
// The source comes from a model or a stranger: names, values and their number are bounded, and what does not fit is no
// tunable.
namespace gks {
namespace {

constexpr std::size_t tunableLimit = 32;
constexpr std::size_t valueLimit = 64;
constexpr std::size_t valueLengthLimit = 48;

bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}
bool isNameCharacter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool isName(std::string_view text) {
    return !text.empty() && text.size() <= valueLengthLimit && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
           std::all_of(text.begin(), text.end(), isNameCharacter);
}

// Numbers with suffixes and single identifiers, possibly in brackets: nothing that could end the line or start a
// comment.
bool isValue(std::string_view text) {
    return !text.empty() && text.size() <= valueLengthLimit && std::all_of(text.begin(), text.end(), [](char c) {
        return isNameCharacter(c) || c == '.' || c == '+' || c == '-' || c == '(' || c == ')';
    });
}

std::string_view nextWord(std::string_view& rest) {
    while (!rest.empty() && (isBlank(rest.front()) || rest.front() == ',')) {
        rest.remove_prefix(1);
    }
    std::size_t length = 0;
    while (length < rest.size() && !isBlank(rest[length]) && rest[length] != ',') {
        ++length;
    }
    const std::string_view word = rest.substr(0, length);
    rest.remove_prefix(length);
    return word;
}

// `#define NAME value`, with the place of the value in the whole source.
struct Definition {
    std::string_view name;
    std::string_view value;
    std::size_t valueAt = 0;
    int line = 0;
};

std::optional<Definition> readDefinition(std::string_view line) {
    std::string_view rest = line;
    const auto skipBlanks = [&] {
        while (!rest.empty() && isBlank(rest.front())) {
            rest.remove_prefix(1);
        }
    };
    skipBlanks();
    if (!rest.starts_with('#')) {
        return {};
    }
    rest.remove_prefix(1);
    skipBlanks();
    if (!rest.starts_with("define") || rest.size() < 7 || !isBlank(rest[6])) {
        return {};
    }
    rest.remove_prefix(6);
    skipBlanks();
    std::size_t length = 0;
    while (length < rest.size() && isNameCharacter(rest[length])) {
        ++length;
    }
    Definition definition{rest.substr(0, length), {}, 0, 0};
    rest.remove_prefix(length);
    if (!isName(definition.name) || rest.empty() ||
        !isBlank(rest.front())) { // a macro with arguments or without a value
        return {};
    }
    skipBlanks();
    definition.value = trimmed(rest.substr(0, std::min(rest.find("//"), rest.find("/*"))));
    definition.valueAt = static_cast<std::size_t>(definition.value.data() - line.data());
    if (!isValue(definition.value)) {
        return {};
    }
    return definition;
}

struct Declaration {
    std::string_view name;
    std::vector<std::string> values;
    int line = 0;
};

// What follows a tag that begins a line comment, "// @tune A 1 2".
std::optional<std::string_view> afterTag(std::string_view line, std::string_view wanted) {
    const std::size_t comment = line.find("//");
    if (comment == std::string_view::npos) {
        return {};
    }
    const std::string_view rest = line.substr(comment);
    const std::size_t tag = rest.find(wanted);
    if (tag == std::string_view::npos || !trimmed(rest.substr(2, tag - 2)).empty()) {
        return {};
    }
    const std::string_view after = rest.substr(tag + wanted.size());
    return after.empty() || !isBlank(after.front()) ? std::optional<std::string_view>() : after;
}

std::optional<Declaration> readDeclaration(std::string_view line) {
    const auto tagged = afterTag(line, "@tune");
    if (!tagged) {
        return {};
    }
    std::string_view rest = *tagged;
    Declaration declaration{nextWord(rest), {}, 0};
    for (std::string_view word = nextWord(rest); !word.empty(); word = nextWord(rest)) {
        const bool known =
            std::find(declaration.values.begin(), declaration.values.end(), word) != declaration.values.end();
        if (isValue(word) && !known && declaration.values.size() < valueLimit) {
            declaration.values.emplace_back(word);
        }
    }
    if (!isName(declaration.name) || declaration.values.empty()) {
        return {};
    }
    return declaration;
}

TunableType typeOf(const std::vector<std::string>& values) {
    bool powers = true;
    bool flags = true;
    for (const std::string& value : values) {
        const auto number = wholeNumber(value);
        if (!number) {
            return TunableType::identifier;
        }
        powers = powers && *number > 0 && (*number & (*number - 1)) == 0;
        flags = flags && (*number == 0 || *number == 1);
    }
    return flags ? TunableType::boolean : powers ? TunableType::powerOfTwo : TunableType::integer;
}

struct Located {
    Tunable tunable;
    std::size_t valueAt = 0;
};

std::vector<Located> locate(std::string_view source) {
    std::vector<Definition> definitions;
    std::vector<Declaration> declarations;
    int number = 0;
    for (const std::string_view line : lines(source)) {
        ++number;
        if (auto definition = readDefinition(line)) {
            definition->line = number;
            definition->valueAt += static_cast<std::size_t>(line.data() - source.data());
            definitions.push_back(*definition);
        }
        if (auto declaration = readDeclaration(line)) {
            declaration->line = number;
            declarations.push_back(std::move(*declaration));
        }
    }
    std::vector<Located> result;
    for (const Declaration& declaration : declarations) {
        const bool seen = std::any_of(result.begin(), result.end(),
                                      [&](const Located& other) { return other.tunable.name == declaration.name; });
        if (seen || result.size() == tunableLimit) {
            continue;
        }
        // Several definitions of one name stand in branches of an #if: the one nearest to the declaration is meant.
        const Definition* nearest = nullptr;
        for (const Definition& definition : definitions) {
            if (definition.name == declaration.name &&
                (nearest == nullptr ||
                 std::abs(definition.line - declaration.line) < std::abs(nearest->line - declaration.line))) {
                nearest = &definition;
            }
        }
        if (nearest != nullptr) {
            result.push_back({{std::string(declaration.name), declaration.values, std::string(nearest->value),
                               nearest->line, typeOf(declaration.values)},
                              nearest->valueAt});
        }
    }
    return result;
}

} // namespace

std::string_view name(TunableType type) {
    switch (type) {
    case TunableType::integer:
        return "integer";
    case TunableType::powerOfTwo:
        return "power of two";
    case TunableType::boolean:
        return "boolean";
    case TunableType::identifier:
        return "identifier";
    }
    return "";
}

std::optional<std::int64_t> wholeNumber(std::string_view value) {
    while (value.size() > 1 && value.front() == '(' && value.back() == ')') {
        value = value.substr(1, value.size() - 2);
    }
    std::int64_t number = 0;
    const auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), number);
    const std::string_view suffix = value.substr(static_cast<std::size_t>(end - value.data()));
    const bool plain = failure == std::errc() && suffix.find_first_not_of("uUlL") == std::string_view::npos;
    return plain ? std::optional(number) : std::nullopt;
}

std::vector<TuningCondition> findConditions(std::string_view source) {
    std::vector<TuningCondition> conditions;
    int number = 0;
    for (const std::string_view line : lines(source)) {
        ++number;
        if (const auto tagged = afterTag(line, "@tune-if")) {
            conditions.push_back({std::string(trimmed(*tagged)), number});
        }
    }
    return conditions;
}

std::string structureOf(std::string_view source) {
    std::map<std::string, std::string> first;
    for (const Tunable& tunable : findTunables(source)) {
        first[tunable.name] = tunable.values.front();
    }
    return sha256Hex(normalizedSource(withTunables(source, first).value_or(std::string(source))));
}

std::vector<Tunable> findTunables(std::string_view source) {
    std::vector<Tunable> result;
    for (Located& located : locate(source)) {
        result.push_back(std::move(located.tunable));
    }
    return result;
}

Result<std::string> withTunables(std::string_view source, const std::map<std::string, std::string>& values) {
    std::vector<Located> located = locate(source);
    for (const auto& [name, value] : values) {
        const auto found = std::find_if(located.begin(), located.end(),
                                        [&, &wanted = name](const Located& one) { return one.tunable.name == wanted; });
        if (found == located.end()) {
            return usageError(fmt::format("the source has no tunable '{}'", abbreviated(name, valueLengthLimit)), {},
                              "Declare it with `// @tune NAME values` next to its #define");
        }
        const Tunable& tunable = found->tunable;
        if (value != tunable.current &&
            std::find(tunable.values.begin(), tunable.values.end(), value) == tunable.values.end()) {
            return usageError(
                fmt::format("'{}' is not a declared value of {}", abbreviated(value, valueLengthLimit), name),
                fmt::format("line {}", tunable.line), "Allowed values: " + join(tunable.values, ", "));
        }
    }
    // From the end, so that earlier places stay right.
    std::sort(located.begin(), located.end(), [](const Located& a, const Located& b) { return a.valueAt > b.valueAt; });
    std::string result(source);
    for (const Located& one : located) {
        if (const auto value = values.find(one.tunable.name); value != values.end()) {
            result.replace(one.valueAt, one.tunable.current.size(), value->second);
        }
    }
    return result;
}

} // namespace gks
