// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/cpp_sizes.h"

#include "core/base/text.h"
#include "core/import/problem_axes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace gks {
namespace {

using Kind = CppToken::Kind;

constexpr int sizeDepthLimit = 40;
constexpr std::size_t factorLimit = 8;
constexpr int castLimit = 10;

std::optional<std::int64_t> wholeLiteral(std::string_view text) {
    std::string digits;
    std::ranges::copy_if(text, std::back_inserter(digits), [](char c) { return c != '\''; });
    while (!digits.empty() && std::string_view("uUlLzZ").find(digits.back()) != std::string_view::npos) {
        digits.pop_back();
    }
    std::int64_t value = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool isOctal = digits.size() > 1 && digits.front() == '0';
    return read.ec == std::errc() && read.ptr == digits.data() + digits.size() && !isOctal &&
                   value <= importedExtentLimit
               ? std::optional(value)
               : std::nullopt;
}

bool isWholeType(std::string_view word) {
    static const std::set<std::string_view> names = {"int",      "long",      "unsigned", "short",
                                                     "size_t",   "int64_t",   "int32_t",  "uint32_t",
                                                     "uint64_t", "ptrdiff_t", "auto",     "signed"};
    return names.contains(word);
}

} // namespace

bool isSumText(std::string_view text) {
    int depth = 0;
    bool found = false;
    for (const char c : text) {
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        found = found || (depth == 0 && (c == '+' || c == '-'));
    }
    return found;
}

std::string CppSize::text() const {
    return join(factors, "*");
}

Result<CppSize> CppSizes::size(CppRange range) const {
    std::size_t at = range.begin;
    if (range.size() == 0) {
        return m_text.refuse(range.begin, "has a length that is empty");
    }
    GKS_TRY_ASSIGN(Value value, sum(at, range.end, 0));
    if (at != range.end) {
        return m_text.refuse(at, fmt::format("computes a length with {}: products and sums of arguments can be read",
                                             abbreviated(m_text.tokens()[at].text, 40)));
    }
    return std::move(value.size);
}

Result<CppSizes::Value> CppSizes::sum(std::size_t& at, std::size_t end, int depth) const {
    GKS_TRY_ASSIGN(Value left, product(at, end, depth));
    while (at < end && (m_text.is(at, "+") || m_text.is(at, "-"))) {
        const std::string sign = m_text.tokens()[at++].text;
        GKS_TRY_ASSIGN(const Value right, product(at, end, depth));
        const std::string text = right.isSum ? "(" + right.size.text() + ")" : right.size.text();
        left = {{{left.size.text() + sign + text}}, true};
    }
    return left;
}

Result<CppSizes::Value> CppSizes::product(std::size_t& at, std::size_t end, int depth) const {
    GKS_TRY_ASSIGN(Value left, factor(at, end, depth));
    while (at < end && (m_text.is(at, "*") || m_text.is(at, "/"))) {
        if (m_text.is(at, "/")) {
            GKS_TRY_ASSIGN(left, quotient(std::move(left), at, end));
            continue;
        }
        ++at;
        GKS_TRY_ASSIGN(Value right, factor(at, end, depth));
        for (Value* const side : {&left, &right}) {
            if (side->isSum) {
                *side = {{{"(" + side->size.text() + ")"}}, false};
            }
        }
        std::erase(left.size.factors, "1");
        left.size.factors.insert(left.size.factors.end(), right.size.factors.begin(), right.size.factors.end());
        if (left.size.factors.size() > 1) {
            std::erase(left.size.factors, "1");
        }
        if (left.size.factors.empty()) {
            left.size.factors = {"1"};
        }
        if (left.size.factors.size() > factorLimit) {
            return m_text.refuse(at - 1, fmt::format("has a length of more than {} factors", factorLimit));
        }
    }
    return left;
}

// Of whole numbers that are not negative: rounded down.
Result<CppSizes::Value> CppSizes::quotient(Value left, std::size_t& at, std::size_t end) const {
    const std::size_t below = at + 1;
    const auto divisor = below < end && m_text.tokens()[below].kind == Kind::number
                             ? wholeLiteral(m_text.tokens()[below].text)
                             : std::nullopt;
    std::string by = divisor ? std::to_string(*divisor) : std::string();
    if (!divisor && below < end) { // a constant by its name
        const auto known = numbers.find(m_text.tokens()[below].text);
        if (known != numbers.end() && known->second.factors.empty()) {
            return m_text.refuse(below, fmt::format("divides a length by {}, which is defined more than once",
                                                    abbreviated(known->first, 40)));
        }
        const bool isNumber = known != numbers.end() && known->second.factors.size() == 1 &&
                              known->second.text().find_first_not_of("0123456789") == std::string::npos;
        by = isNumber ? known->second.text() : std::string();
    }
    if (by.empty() || by == "0") {
        return m_text.refuse(below, "divides a length by something else than a number");
    }
    at = below + 1;
    return Value{{{fmt::format("floor(({})/{})", left.size.text(), by)}}, false};
}

std::size_t CppSizes::conversion(std::size_t at, std::size_t end) const {
    std::size_t i = at + (m_text.is(at, "std") && m_text.is(at + 1, "::") ? 2 : 0);
    const std::size_t first = i;
    while (i < end && isWholeType(m_text.tokens()[i].text)) {
        ++i;
    }
    return i > first ? i : 0;
}

Result<CppSizes::Value> CppSizes::factor(std::size_t& at, std::size_t end, int depth) const {
    if (at >= end || depth > sizeDepthLimit) {
        return m_text.refuse(std::min(at, end - 1), "has a length that cannot be read");
    }
    const CppToken& token = m_text.tokens()[at];
    if (token.kind == Kind::number) {
        const auto value = wholeLiteral(token.text);
        if (!value) {
            return m_text.refuse(at, fmt::format("has the length {}, which is no extent", abbreviated(token.text, 40)));
        }
        ++at;
        return Value{{{std::to_string(*value)}}, false};
    }
    if (m_text.is(at, "(")) {
        if (const std::size_t behind = conversion(at + 1, end); behind > 0 && m_text.is(behind, ")")) {
            at = behind + 1; // (int)x
            return factor(at, end, depth + 1);
        }
        GKS_TRY_ASSIGN(const std::size_t close, m_text.closing(at));
        ++at;
        GKS_TRY_ASSIGN(Value inner, sum(at, close, depth + 1));
        if (at != close) {
            return m_text.refuse(at, "has a length that cannot be read");
        }
        at = close + 1;
        return inner;
    }
    const std::size_t cast = at;
    if (m_text.is(at, "static_cast") && m_text.is(at + 1, "<")) {
        const std::size_t behind = conversion(at + 2, end);
        if (behind == 0 || !m_text.is(behind, ">") || !m_text.is(behind + 1, "(")) {
            return m_text.refuse(cast, "has a length that is cast to something else");
        }
        at = behind + 1;
        return factor(at, end, depth + 1);
    }
    if (const std::size_t behind = conversion(at, end); behind > 0 && m_text.is(behind, "(")) {
        at = behind; // size_t(x)
        return factor(at, end, depth + 1);
    }
    return named(at);
}

// x, std::get<1>(x), x.size()
Result<CppSizes::Value> CppSizes::named(std::size_t& at) const {
    const CppName name = cppNameAt(m_text, at);
    const auto valueOf = [](const CppSize& size) {
        const bool isSum = size.factors.size() == 1 && isSumText(size.factors.front());
        return Value{size, isSum};
    };
    const std::size_t behind = name.end;
    if (m_text.is(behind, ".") && m_text.is(behind + 1, "size") && m_text.is(behind + 2, "(") &&
        m_text.is(behind + 3, ")") && lengths.contains(name.key)) {
        at = behind + 4;
        return valueOf(lengths.at(name.key));
    }
    const auto known = numbers.find(name.key);
    if (known == numbers.end()) {
        return m_text.refuse(at, fmt::format("computes a length with {}, which does not follow from the arguments",
                                             abbreviated(m_text.tokens()[at].text, 40)));
    }
    if (known->second.factors.empty()) {
        return m_text.refuse(
            at, fmt::format("computes a length with {}, which is defined more than once", abbreviated(name.key, 40)));
    }
    at = behind;
    return valueOf(known->second);
}

CppName cppNameAt(const CppText& text, std::size_t at) {
    const auto& tokens = text.tokens();
    const std::size_t i = text.is(at, "std") && text.is(at + 1, "::") ? at + 2 : at;
    if (text.is(i, "get") && text.is(i + 1, "<") && text.is(i + 3, ">") && text.is(i + 4, "(") && text.is(i + 6, ")")) {
        return {tokens[i + 5].text + "." + tokens[i + 2].text, i + 7};
    }
    if (text.is(i + 1, ".") && (text.is(i + 2, "first") || text.is(i + 2, "second"))) {
        return {tokens[i].text + (text.is(i + 2, "first") ? ".0" : ".1"), i + 3};
    }
    return {i < tokens.size() && tokens[i].kind == Kind::name ? tokens[i].text : std::string(), i + 1};
}

std::string cppWords(const CppText& text, CppRange range) {
    std::string words;
    range.end = std::min(range.end, text.tokens().size());
    for (std::size_t i = range.begin; i < range.end; ++i) {
        if (text.is(i, "std") && text.is(i + 1, "::")) {
            ++i;
            continue;
        }
        words += (words.empty() ? "" : " ") + text.tokens()[i].text;
    }
    return words;
}

std::vector<CppRange> cppParts(const CppText& text, CppRange range, bool angles) {
    std::vector<CppRange> parts;
    std::size_t begin = range.begin;
    int depth = 0;
    for (std::size_t i = range.begin; i < range.end; ++i) {
        const std::string& word = text.tokens()[i].text;
        const bool opens = word == "(" || word == "[" || word == "{" || (angles && word == "<");
        const bool closes = word == ")" || word == "]" || word == "}" || (angles && word == ">");
        depth += opens ? 1 : closes ? -1 : 0;
        if (word == "," && depth == 0) {
            parts.push_back({begin, i});
            begin = i + 1;
        }
    }
    if (begin < range.end) {
        parts.push_back({begin, range.end});
    }
    return parts;
}

CppRange withoutCasts(const CppText& text, CppRange range, Casts casts) {
    const auto isTaken = [&](std::string_view word) {
        return word == "float" || word == "double" || (casts == Casts::toAnyNumber && isWholeType(word));
    };
    const auto typeEnd = [&](std::size_t at) {
        std::size_t i = at + (text.is(at, "std") && text.is(at + 1, "::") ? 2 : 0);
        const std::size_t first = i;
        while (i < range.end && isTaken(text.tokens()[i].text)) {
            ++i;
        }
        return i > first ? i : std::size_t{0};
    };
    for (int i = 0; i < castLimit; ++i) {
        std::size_t open = range.begin;
        if (text.is(range.begin, "static_cast") && text.is(range.begin + 1, "<")) {
            const std::size_t behind = typeEnd(range.begin + 2);
            open = behind > 0 && text.is(behind, ">") ? behind + 1 : range.end;
        } else if (const std::size_t behind = typeEnd(range.begin); behind > 0) {
            open = behind;
        }
        const auto close = open < range.end && text.is(open, "(") ? text.closing(open) : Result<std::size_t>(range.end);
        if (open < range.end && close && *close + 1 == range.end) { // float(x), static_cast<float>(x), (x)
            range = {open + 1, *close};
            continue;
        }
        const std::size_t behind = text.is(range.begin, "(") ? typeEnd(range.begin + 1) : 0;
        if (behind > 0 && text.is(behind, ")") && behind + 1 < range.end) { // (float)x
            range.begin = behind + 1;
            continue;
        }
        break;
    }
    return range;
}

std::optional<double> cppNumber(const CppText& text, CppRange range) {
    const CppRange real = withoutCasts(text, range, Casts::toReal);
    range = withoutCasts(text, range, Casts::toAnyNumber);
    const bool isCut = range.begin != real.begin; // to a whole number
    const bool isNegative = text.is(range.begin, "-");
    range.begin += isNegative ? 1 : 0;
    if (range.size() != 1 || text.tokens()[range.begin].kind != Kind::number) {
        return std::nullopt;
    }
    std::string digits;
    std::ranges::copy_if(text.tokens()[range.begin].text, std::back_inserter(digits), [](char c) { return c != '\''; });
    while (!digits.empty() && std::string_view("fFuUlL").find(digits.back()) != std::string_view::npos) {
        digits.pop_back();
    }
    double value = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool isRead = read.ec == std::errc() && read.ptr == digits.data() + digits.size();
    const bool isKept = !isCut || (!isNegative && value == std::floor(value));
    return isRead && isKept ? std::optional(isNegative ? -value : value) : std::nullopt;
}

namespace {

// Whether the { here begins no class, but namespace x::y or extern "C".
bool opensNamespace(const CppText& text, std::size_t brace) {
    std::size_t at = brace;
    while (at > 0 && (text.is(at - 1, "::") || text.tokens()[at - 1].kind == Kind::name)) {
        if (text.is(--at, "namespace")) {
            return true;
        }
    }
    return brace > 1 && text.tokens()[brace - 1].kind == Kind::text && text.is(brace - 2, "extern");
}

// constexpr int N = 4; with N at the token: its value, nothing where N is something else.
std::optional<std::int64_t> constantAt(const CppText& text, std::size_t at) {
    const auto isConst = [&](std::size_t word) { return text.is(word, "const") || text.is(word, "constexpr"); };
    if (at < 2 || !text.is(at + 1, "=") || !text.is(at + 3, ";") || !isWholeType(text.tokens()[at - 1].text)) {
        return std::nullopt;
    }
    const bool isConstant = isConst(at - 2) || (text.is(at - 2, "::") && at > 3 && isConst(at - 4));
    return isConstant ? wholeLiteral(text.tokens()[at + 2].text) : std::nullopt;
}

} // namespace

std::map<std::string, CppSize> cppConstants(const CppText& text) {
    std::map<std::string, CppSize> constants;
    std::set<std::string> others; // of classes, and of what is no constant that can be read
    const auto define = [&](const std::string& name, std::optional<std::int64_t> value, bool isSeen) {
        const CppSize size = value ? CppSize{{std::to_string(*value)}} : CppSize{};
        const auto known = constants.find(name);
        if (known != constants.end() ? !known->second.isSame(size) : others.contains(name)) {
            constants[name] = {}; // which one is meant, the scope says
        } else if (value && isSeen) {
            constants[name] = size;
        } else {
            others.insert(name);
        }
    };
    const auto& tokens = text.tokens();
    std::vector<bool> isClass; // of the braces that are open
    std::size_t next = 0;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        for (; next < text.functions().size() && text.functions()[next].bodyClose < i; ++next) {
        }
        if (next < text.functions().size() && i > text.functions()[next].first) {
            i = text.functions()[next].bodyClose;
            continue;
        }
        if (text.is(i, "{")) {
            isClass.push_back(!opensNamespace(text, i));
        } else if (text.is(i, "}") && !isClass.empty()) {
            isClass.pop_back();
        } else if (tokens[i].kind == Kind::name && (text.is(i + 1, "=") || text.is(i + 1, "{"))) {
            define(tokens[i].text, constantAt(text, i), std::ranges::find(isClass, true) == isClass.end());
        }
    }
    for (const std::string& name : text.macroNames()) {
        define(name, wholeLiteral(*text.macro(name)), true);
    }
    return constants;
}

std::optional<ElementType> cppElement(std::string_view words) {
    static const std::map<std::string_view, ElementType> types = {
        {"float", ElementType::f32},    {"double", ElementType::f64},   {"int", ElementType::i32},
        {"int32_t", ElementType::i32},  {"unsigned", ElementType::u32}, {"unsigned int", ElementType::u32},
        {"uint32_t", ElementType::u32}, {"long", ElementType::i64},     {"long long", ElementType::i64},
        {"int64_t", ElementType::i64},  {"int8_t", ElementType::i8},    {"signed char", ElementType::i8}};
    const auto found = types.find(words);
    return found == types.end() ? std::nullopt : std::optional(found->second);
}

} // namespace gks
