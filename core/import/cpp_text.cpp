// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/cpp_text.h"

#include "core/base/text.h"
#include "core/import/cpp_lines.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>

namespace gks {
namespace {

// Which of its branches counts is known to a compiler alone. Guards of a file and defaults of a macro are taken.
constexpr const char* conditional = "has a condition of the preprocessor that is no guard";
constexpr std::size_t cppTokenLimit = 40000;
constexpr std::size_t cppFileLimit = 16;
constexpr int includeLimit = 8;
constexpr std::string_view cppAdvice = "Write the problem pack by hand";

bool isNameStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

// Of C++ itself: what host code may include. Others are headers of its harness or of a device.
bool isStandardHeader(std::string_view name) {
    static const std::set<std::string_view> names = {
        "algorithm", "array",    "bit",         "bitset",   "cassert",     "cctype",           "cfloat",
        "climits",   "cmath",    "cstddef",     "cstdint",  "cstdio",      "cstdlib",          "cstring",
        "complex",   "deque",    "exception",   "format",   "functional",  "iomanip",          "iostream",
        "iterator",  "limits",   "list",        "map",      "memory",      "numbers",          "numeric",
        "optional",  "queue",    "random",      "set",      "span",        "sstream",          "stack",
        "stdexcept", "string",   "string_view", "tuple",    "type_traits", "unordered_map",    "unordered_set",
        "utility",   "variant",  "vector",      "math.h",   "stdint.h",    "stdlib.h",         "string.h",
        "float.h",   "limits.h", "assert.h",    "stddef.h", "stdio.h",     "chrono",           "concepts",
        "ranges",    "valarray", "ostream",     "istream",  "ratio",       "initializer_list", "cerrno"};
    return names.contains(name);
}

// What device code includes; it is left out, and what would need it is refused by its own name.
bool isDeviceHeader(std::string_view name) {
    return std::ranges::any_of(std::array<std::string_view, 6>{"cuda", "hip/", "cooperative_groups", "device_launch",
                                                               "vector_types", "driver_types"},
                               [&](std::string_view start) { return name.starts_with(start); });
}

bool isDeviceWord(std::string_view word) {
    static const std::set<std::string_view> words = {
        "__global__",    "__device__", "__shared__", "__constant__", "__managed__",      "__host__",  "threadIdx",
        "blockIdx",      "blockDim",   "gridDim",    "warpSize",     "__half",           "__half2",   "nv_bfloat16",
        "__nv_bfloat16", "nv_half",    "thrust",     "CUDA_CHECK",   "CUDA_CHECK_ERROR", "HIP_CHECK", "__syncthreads"};
    const auto isCall = [&](std::string_view start) {
        return word.size() > start.size() && word.starts_with(start) && word[start.size()] >= 'A' &&
               word[start.size()] <= 'Z';
    };
    return words.contains(word) || isCall("cuda") || isCall("hip") || word.starts_with("cublas") ||
           word.starts_with("cudnn") || word.starts_with("__nv_");
}

// C++ that reaches around the language.
bool isForbiddenWord(std::string_view word) {
    static const std::set<std::string_view> words = {"asm",         "__asm",   "__asm__",  "__attribute__",
                                                     "__attribute", "_Pragma", "__pragma", "__declspec"};
    return words.contains(word);
}

} // namespace

std::string CppText::place(std::size_t token) const {
    if (m_lines.empty()) {
        return m_folder;
    }
    const std::size_t at = token < m_tokens.size() ? m_tokens[token].line : m_lines.size() - 1;
    return fmt::format("{}/{}:{}", m_folder, m_lines[at].file, m_lines[at].number);
}
tl::unexpected<Error> CppText::refuse(std::size_t token, std::string what) const {
    return usageError(std::move(what), place(token), std::string(cppAdvice));
}
tl::unexpected<Error> CppText::refuseLine(const Line& line, std::string what) const {
    return usageError(std::move(what), fmt::format("{}/{}:{}", m_folder, line.file, line.number),
                      std::string(cppAdvice));
}

Result<CppText> CppText::read(const std::string& file, const Read& files, std::string folder) {
    CppText text;
    text.m_folder = std::move(folder);
    GKS_TRY(text.take(file, files, 0));
    GKS_TRY(text.readTokens());
    GKS_TRY(text.findFunctions());
    return text;
}

void CppText::keep(const std::string& text, Line line) {
    m_begins.push_back(m_text.size());
    m_text += text + "\n";
    m_lines.push_back(std::move(line));
}

Result<void> CppText::take(const std::string& file, const Read& files, int depth) {
    const std::string where = m_folder + "/" + file;
    if (depth > includeLimit || m_files.size() == cppFileLimit) {
        return usageError("includes too many files", where, std::string(cppAdvice));
    }
    GKS_TRY_ASSIGN(std::string content, files(file));
    if (m_text.size() + content.size() > cppLimitBytes) {
        return usageError(fmt::format("has more than {} KiB of code", cppLimitBytes >> 10), where,
                          std::string(cppAdvice));
    }
    if (sanitizedUtf8(content) != content || content.find('\0') != std::string::npos) {
        return usageError("is no text", where, std::string(cppAdvice));
    }
    m_files[file] = content;
    GKS_TRY_ASSIGN(const std::vector<std::string> plain, linesWithoutComments(content, where));
    for (std::size_t i = 0; i < plain.size(); ++i) {
        Line line{file, i + 1};
        const std::string_view words = trimmed(plain[i]);
        line.isDirective = words.starts_with('#');
        std::string whole = plain[i];
        while (whole.ends_with('\\') && line.isDirective && i + 1 < plain.size()) {
            whole.pop_back();
            whole += plain[++i];
        }
        if (whole.ends_with('\\')) {
            return refuseLine(line, "has a line that is continued by \\, which only a directive may be here");
        }
        if (line.isDirective) {
            GKS_TRY(directive(whole, line, files, depth));
        } else if (!m_guard.empty() && !trimmed(whole).empty()) {
            return refuseLine(line, conditional);
        } else {
            keep(whole, line);
        }
    }
    return {};
}

Result<void> CppText::directive(const std::string& text, const Line& line, const Read& files, int depth) {
    const std::string_view rest = trimmed(trimmed(text).substr(1));
    const std::string_view word = rest.substr(0, std::min(rest.find_first_of(" \t<\"("), rest.size()));
    const std::string_view given = trimmed(rest.substr(word.size()));
    if (word == "include") {
        return include(given, line, files, depth);
    }
    if (word == "pragma" || word.empty()) {
        return {};
    }
    for (const std::string_view one : words(given)) {
        if (one.starts_with("__has_") || isForbiddenWord(one) || (word == "define" && isDeviceWord(one))) {
            return refuseLine(line, fmt::format("uses {} in a directive", abbreviated(one, 40)));
        }
    }
    if (!m_guard.empty() && (word != "define" || words(given).empty() || words(given).front() != m_guard)) {
        return refuseLine(line, conditional);
    }
    m_guard.clear();
    if (word == "ifndef" && words(given).size() == 1 && !m_macros.contains(std::string(given))) {
        m_guard = given; // its #define is the next line
        ++m_guards;
    } else if (word == "endif" && m_guards > 0) {
        --m_guards;
    } else if (word == "define") {
        std::size_t end = 0;
        for (; end < given.size() && (isNameStart(given[end]) || isDigit(given[end])); ++end) {
        }
        const bool isFunction = end < given.size() && given[end] == '(';
        const std::string name(given.substr(0, end));
        const std::string body = isFunction ? std::string("()") : std::string(trimmed(given.substr(end)));
        if (const std::string* const known = macro(name); known != nullptr && (isFunction || *known != body)) {
            return refuseLine(line, fmt::format("defines the macro {} more than once", abbreviated(name, 40)));
        }
        m_macros[name] = body;
    } else if (word.find("if") != std::string_view::npos || word.starts_with("el")) {
        return refuseLine(line, conditional);
    } else {
        return refuseLine(line, fmt::format("has the directive #{}", abbreviated(word, 40)));
    }
    keep(text, line);
    return {};
}

Result<void> CppText::include(std::string_view given, const Line& line, const Read& files, int depth) {
    const bool isQuoted = given.size() > 2 && given.front() == '"' && given.back() == '"';
    const bool isAngled = given.size() > 2 && given.front() == '<' && given.back() == '>';
    const std::string name(isQuoted || isAngled ? given.substr(1, given.size() - 2) : std::string_view());
    if (name.empty()) {
        return refuseLine(line, "includes what only a compiler could say");
    }
    if (isStandardHeader(name)) {
        m_headers.insert(name);
        return {};
    }
    // What eval.cu gives its own submissions; ref_kernel needs nothing of it.
    if (isDeviceHeader(name) || name == "utils.h") {
        return {};
    }
    const auto isWord = [](char c) { return isNameStart(c) || isDigit(c) || c == '.'; };
    const bool isPlain = isQuoted && isNameStart(name.front()) && std::ranges::all_of(name, isWord) &&
                         (name.ends_with(".h") || name.ends_with(".cuh") || name.ends_with(".hpp"));
    if (!isPlain) {
        return refuseLine(line, fmt::format("includes {}, which is no file of its folder and no header of C++",
                                            abbreviated(given, 80)));
    }
    return m_files.contains(name) ? Result<void>() : take(name, files, depth + 1);
}

Result<void> CppText::readTokens() {
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        if (m_lines[i].isDirective) {
            continue;
        }
        const std::size_t begin = m_begins[i];
        const std::size_t end = i + 1 < m_begins.size() ? m_begins[i + 1] : m_text.size();
        std::vector<CppToken> found;
        if (const std::string wrong = tokensOfLine(std::string_view(m_text).substr(begin, end - begin), found);
            !wrong.empty()) {
            return refuseLine(m_lines[i], wrong);
        }
        for (CppToken& token : found) {
            token.at += begin;
            token.line = i;
            m_tokens.push_back(std::move(token));
        }
        if (m_tokens.size() > cppTokenLimit) {
            return refuseLine(m_lines[i], "is too long");
        }
    }
    return {};
}

Result<std::size_t> CppText::closing(std::size_t open) const {
    static const std::map<std::string_view, std::string_view> pairs = {{"(", ")"}, {"[", "]"}, {"{", "}"}};
    std::vector<std::string_view> wanted;
    for (std::size_t i = open; i < m_tokens.size(); ++i) {
        const std::string& text = m_tokens[i].text;
        if (const auto pair = pairs.find(text); pair != pairs.end()) {
            wanted.push_back(pair->second);
        } else if (text == ")" || text == "]" || text == "}") {
            if (wanted.empty() || wanted.back() != text) {
                return refuse(i, fmt::format("has a {} that closes nothing", text));
            }
            wanted.pop_back();
            if (wanted.empty()) {
                return i;
            }
        }
    }
    return refuse(open, "has a bracket that is never closed");
}

// Namespaces count as nothing; classes and initialisers are gone over as a whole.
Result<void> CppText::findFunctions() {
    std::size_t first = 0;
    std::optional<CppFunction> maybe;
    for (std::size_t i = 0; i < m_tokens.size(); ++i) {
        if (is(i, "(") && !maybe) {
            GKS_TRY_ASSIGN(const std::size_t close, closing(i));
            if (i > first && m_tokens[i - 1].kind == CppToken::Kind::name) {
                maybe = CppFunction{m_tokens[i - 1].text, first, i, close};
            }
            i = close;
        } else if (is(i, "{")) {
            const bool isNamespace = is(first, "namespace") || (is(first, "inline") && is(first + 1, "namespace")) ||
                                     (is(first, "extern") && i == first + 2);
            if (isNamespace && !maybe) {
                first = i + 1;
                continue;
            }
            GKS_TRY_ASSIGN(const std::size_t close, closing(i));
            if (maybe) {
                maybe->bodyOpen = i;
                maybe->bodyClose = close;
                m_functions.push_back(*maybe);
                maybe.reset();
                first = close + 1;
            }
            i = close;
        } else if (is(i, ";") || is(i, "}")) {
            maybe.reset();
            first = i + 1;
        } else if (is(i, "=")) {
            maybe.reset();
        }
    }
    return {};
}

Result<const CppFunction*> CppText::function(std::string_view name) const {
    const CppFunction* found = nullptr;
    for (const CppFunction& one : m_functions) {
        if (one.name == name && found != nullptr) {
            return refuse(one.first, fmt::format("defines {} more than once", name));
        }
        found = one.name == name ? &one : found;
    }
    if (found == nullptr) {
        return usageError(fmt::format("defines no function called {}", name), m_folder + "/reference.cuh",
                          std::string(cppAdvice));
    }
    return found;
}

const std::string* CppText::macro(const std::string& name) const {
    const auto found = m_macros.find(name);
    return found == m_macros.end() ? nullptr : &found->second;
}

std::vector<std::string> CppText::macroNames() const {
    std::vector<std::string> names;
    for (const auto& [name, body] : m_macros) {
        names.push_back(name);
    }
    return names;
}

bool CppText::mentions(const CppFunction& function, std::string_view name) const {
    return std::any_of(m_tokens.begin() + static_cast<std::ptrdiff_t>(function.first),
                       m_tokens.begin() + static_cast<std::ptrdiff_t>(function.bodyClose),
                       [&](const CppToken& token) { return token.text == name; });
}

Result<void> CppText::isHostCode(const std::function<bool(const CppFunction&)>& ignores) const {
    std::size_t next = 0;
    for (std::size_t i = 0; i < m_tokens.size(); ++i) {
        for (; next < m_functions.size() && m_functions[next].bodyClose < i; ++next) {
        }
        if (next < m_functions.size() && m_functions[next].first == i && ignores(m_functions[next])) {
            i = m_functions[next].bodyClose;
            continue;
        }
        const std::string& text = m_tokens[i].text;
        if (text == "<<<" || isDeviceWord(text)) {
            return refuse(i, fmt::format("uses {}, which is code for a device: a reference runs on the host", text));
        }
        if (isForbiddenWord(text)) {
            return refuse(i, fmt::format("uses {}, which a reference may not", text));
        }
    }
    return {};
}

std::string CppText::without(const std::function<bool(const CppFunction&)>& drops) const {
    std::string text = m_text;
    for (const CppFunction& function : m_functions) {
        if (drops(function)) {
            const std::size_t end = m_tokens[function.bodyClose].at + 1;
            std::replace_if(
                text.begin() + static_cast<std::ptrdiff_t>(m_tokens[function.first].at),
                text.begin() + static_cast<std::ptrdiff_t>(end), [](char c) { return c != '\n'; }, ' ');
        }
    }
    std::string whole;
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const Line& line = m_lines[i];
        const std::size_t end = i + 1 < m_begins.size() ? m_begins[i + 1] : text.size();
        const std::string_view own = std::string_view(text).substr(m_begins[i], end - m_begins[i]);
        if (trimmed(own).empty()) {
            continue;
        }
        const bool follows =
            i > 0 && m_lines[i - 1].file == line.file && m_lines[i - 1].number + 1 == line.number && !whole.empty() &&
            !trimmed(std::string_view(text).substr(m_begins[i - 1], m_begins[i] - m_begins[i - 1])).empty();
        whole += follows ? std::string() : fmt::format("#line {} \"{}\"\n", line.number, line.file);
        whole += own;
    }
    return whole;
}

} // namespace gks
