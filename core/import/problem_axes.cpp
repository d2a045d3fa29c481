// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/problem_axes.h"

#include "core/base/text.h"
#include "core/import/python_tokens.h"

#include <cmath>
#include <fmt/format.h>

namespace gks {
namespace {

using Kind = PythonExpression::Kind;

// Floor, as Python has it.
std::optional<std::int64_t> quotient(std::int64_t a, std::int64_t b) {
    if (b == 0) {
        return std::nullopt;
    }
    const std::int64_t whole = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? whole - 1 : whole;
}

std::optional<std::int64_t> combined(std::string_view word, std::int64_t a, std::int64_t b) {
    if (word == "+") {
        return a + b;
    }
    if (word == "-") {
        return a - b;
    }
    if (word == "*") {
        return a * b; // of two numbers of 31 bits
    }
    if (word == "//") {
        return quotient(a, b);
    }
    if (word == "%") {
        const auto whole = quotient(a, b);
        return whole ? std::optional(a - *whole * b) : std::nullopt;
    }
    if (word == "/") {
        return b != 0 && a % b == 0 ? std::optional(a / b) : std::nullopt;
    }
    if (word == "**" && b >= 0 && b <= 30) {
        const double power = std::pow(static_cast<double>(a), static_cast<double>(b));
        return std::abs(power) <= static_cast<double>(importedExtentLimit)
                   ? std::optional(static_cast<std::int64_t>(power))
                   : std::nullopt;
    }
    return std::nullopt;
}

} // namespace

Result<std::int64_t> wholeValue(const PythonExpression& expression, const AxisValues& known, std::string_view where) {
    const auto refuse = [&](std::string what) { return refusedPython(where, expression.place, std::move(what)); };
    std::optional<std::int64_t> value;
    if (expression.kind == Kind::number && expression.isWhole &&
        expression.number <= static_cast<double>(importedExtentLimit)) {
        value = static_cast<std::int64_t>(expression.number);
    } else if (expression.kind == Kind::name) {
        const auto found = known.find(expression.word);
        if (found == known.end()) {
            return refuse(fmt::format("uses {}, which is no axis", abbreviated(expression.word, 40)));
        }
        value = found->second;
    } else if (expression.kind == Kind::unary) {
        GKS_TRY_ASSIGN(const std::int64_t of, wholeValue(expression.parts.front(), known, where));
        value = -of;
    } else if (expression.kind == Kind::binary) {
        GKS_TRY_ASSIGN(const std::int64_t left, wholeValue(expression.parts[0], known, where));
        GKS_TRY_ASSIGN(const std::int64_t right, wholeValue(expression.parts[1], known, where));
        value = combined(expression.word, left, right);
    }
    if (!value || std::abs(*value) > importedExtentLimit) {
        return refuse("is no whole number that an extent can be");
    }
    return *value;
}

void namesIn(const PythonExpression& expression, std::set<std::string>& names) {
    if (expression.kind == Kind::name) {
        names.insert(expression.word);
    }
    for (const auto* parts : {&expression.parts, &expression.keywords}) {
        for (const PythonExpression& part : *parts) {
            namesIn(part, names);
        }
    }
}

std::string writtenExpression(const PythonExpression& expression) {
    if (expression.kind == Kind::binary) {
        return fmt::format("({} {} {})", writtenExpression(expression.parts[0]), expression.word,
                           writtenExpression(expression.parts[1]));
    }
    if (expression.kind == Kind::unary) {
        return "-" + writtenExpression(expression.parts.front());
    }
    return expression.kind == Kind::number ? fmt::format("{}", expression.number) : expression.word;
}

Result<std::string> PackNames::own(const std::string& name) {
    std::string word;
    for (const char c : lowered(name)) {
        word += (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ? c : '_';
    }
    if (name.size() > 28 || word.empty() || word.front() < 'a' || word.front() > 'z') {
        return usageError(fmt::format("has a name that no problem pack can have: {}", abbreviated(name, 40)),
                          std::string(m_where), "Rename it, or write the problem pack by hand");
    }
    static const std::set<std::string_view> words = {
        "sum",   "max",  "min",      "abs",   "exp",    "log",   "sqrt", "sin",   "cos",   "in",    "at",
        "row",   "stop", "int",      "float", "double", "char",  "long", "short", "bool",  "auto",  "dims",
        "begin", "end",  "expected", "this",  "new",    "or",    "and",  "not",   "if",    "do",    "for",
        "p",     "flat", "is",       "std",   "ceil",   "floor", "sign", "rint",  "avg",   "xor",   "try",
        "case",  "else", "enum",     "goto",  "using",  "union", "void", "while", "const", "class", "break"};
    word += words.contains(word) ? "_" : "";
    // Numbered names are those of the code that is written.
    const bool isNumbered = word.size() > 1 && std::string_view("ivbrs").find(word.front()) != std::string_view::npos &&
                            word.find_first_not_of("0123456789", 1) == std::string::npos;
    word += isNumbered ? "_" : "";
    while (!m_taken.insert(word).second) {
        word += "_";
    }
    return word;
}

} // namespace gks
