// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/function_at.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace gks {
namespace {

constexpr std::string_view globalWord = "__global__";

bool isWordByte(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::size_t behindBrackets(std::string_view text, std::size_t open) {
    int depth = 0;
    for (std::size_t at = open; at < text.size(); ++at) {
        depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
        if (depth == 0) {
            return at + 1;
        }
    }
    return text.size();
}

struct GlobalFunction {
    std::string name;
    std::size_t end = 0; // behind its last brace
};

// Behind the word: "void __launch_bounds__(256) gemm(const float* a) { ... }".
GlobalFunction functionFrom(std::string_view source, std::size_t at) {
    GlobalFunction found;
    std::string word;
    for (; at < source.size() && source[at] != '{' && source[at] != ';'; ++at) {
        if (source[at] != '(') {
            const bool isNext = isWordByte(source[at]) && (at == 0 || !isWordByte(source[at - 1]));
            word = isNext ? std::string() : std::move(word);
            word += isWordByte(source[at]) ? std::string(1, source[at]) : std::string();
            continue;
        }
        at = behindBrackets(source, at) - 1;
        if (!word.starts_with("__") && found.name.empty()) {
            found.name = word;
        }
    }
    int depth = 0;
    for (; at < source.size(); ++at) {
        depth += source[at] == '{' ? 1 : source[at] == '}' ? -1 : 0;
        if (depth == 0) { // a declaration ends here at once
            break;
        }
    }
    found.end = std::min(at + 1, source.size());
    return found;
}

// Of the line's first byte and of the one behind its last.
std::pair<std::size_t, std::size_t> bytesOf(std::string_view source, int line) {
    std::size_t begin = 0;
    for (int number = 1; number < line; ++number) {
        const std::size_t end = source.find('\n', begin);
        if (end == std::string_view::npos) {
            return {source.size(), source.size()};
        }
        begin = end + 1;
    }
    return {begin, std::min(source.find('\n', begin), source.size())};
}

} // namespace

std::string bareFunctionName(std::string_view name) {
    constexpr std::string_view unnamed = "(anonymous namespace)::";
    if (const std::size_t at = name.rfind(unnamed); at != std::string_view::npos) {
        name = name.substr(at + unnamed.size());
    }
    name = name.substr(0, name.find_first_of("(<"));
    name = name.substr(name.find_last_of(" :") + 1); // npos + 1 is 0
    return std::string(name);
}

std::string globalFunctionAt(std::string_view source, int line) {
    const auto [begin, end] = bytesOf(source, line);
    const std::string_view above = source.substr(0, end);
    const std::size_t word = above.rfind(globalWord);
    if (word == std::string_view::npos) {
        return {};
    }
    GlobalFunction found = functionFrom(source, word + globalWord.size());
    return found.end > begin ? std::move(found.name) : std::string();
}

} // namespace gks
