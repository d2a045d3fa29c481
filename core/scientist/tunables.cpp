// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/scientist/scientist.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

// A tunable is declared by a line comment and set by a #define, on one line or on two:
//     #define TILE_M 32          // @tune TILE_M 16 32 64
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

std::optional<Declaration> readDeclaration(std::string_view line) {
    const std::size_t comment = line.find("//");
    if (comment == std::string_view::npos) {
        return {};
    }
    std::string_view rest = line.substr(comment);
    const std::size_t tag = rest.find("@tune");
    if (tag == std::string_view::npos || !trimmed(rest.substr(2, tag - 2)).empty()) {
        return {};
    }
    rest.remove_prefix(tag + 5);
    if (rest.empty() || !isBlank(rest.front())) {
        return {};
    }
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
            result.push_back(
                {{std::string(declaration.name), declaration.values, std::string(nearest->value), nearest->line},
                 nearest->valueAt});
        }
    }
    return result;
}

} // namespace

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
            return usageError(fmt::format("the source declares no tunable '{}'", abbreviated(name, valueLengthLimit)),
                              {}, "Declare it with `// @tune NAME values` beside its #define");
        }
        const Tunable& tunable = found->tunable;
        if (value != tunable.current &&
            std::find(tunable.values.begin(), tunable.values.end(), value) == tunable.values.end()) {
            return usageError(
                fmt::format("'{}' is not a declared value of {}", abbreviated(value, valueLengthLimit), name),
                fmt::format("line {}", tunable.line), "Declared are: " + join(tunable.values, ", "));
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
