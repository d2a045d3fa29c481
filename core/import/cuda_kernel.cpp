// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/cuda_kernel.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gks {
namespace {

using NodeKind = CppToken::Kind;

constexpr std::size_t kernelTokenLimit = 5000;

bool isAssigning(std::string_view word) {
    static const std::set<std::string_view> words = {"=", "+=", "-=", "*=", "/=", "%=", "<<=", "&=", "|=", "++", "--"};
    return words.contains(word);
}

class KernelReader {
public:
    KernelReader(const CppText& text, const CppFunction& kernel, const CppData& output, const CppData& inputType,
                 const std::vector<CppInput>& inputs)
        : m_text(text)
        , m_kernel(kernel)
        , m_output(output)
        , m_inputs(inputs)
        , m_isOne(inputType.form == CppData::Form::one)
        , m_sizes(text) {}

    Result<CppKernel> read() {
        GKS_TRY_ASSIGN(const auto parameters, cppParameters(m_text, m_kernel));
        if (m_kernel.bodyClose - m_kernel.bodyOpen > kernelTokenLimit) {
            return m_text.refuse(m_kernel.open, "has a ref_kernel that is too long");
        }
        if (parameters.size() != 1) {
            return m_text.refuse(m_kernel.open, "has a ref_kernel with another number of parameters than one");
        }
        m_data = parameters.front();
        m_sizes.numbers = cppConstants(m_text);
        for (std::size_t i = 0; i < m_inputs.size(); ++i) {
            know(m_isOne ? m_data : fmt::format("{}.{}", m_data, i), i);
        }
        for (std::size_t i = m_kernel.bodyOpen + 1; i < m_kernel.bodyClose; ++i) {
            GKS_TRY(look(i));
        }
        if (m_return == 0) {
            return m_text.refuse(m_kernel.bodyOpen, "has a ref_kernel that returns nothing");
        }
        CppKernel kernel;
        GKS_TRY_ASSIGN(kernel.lengths, returned());
        kernel.element = element(kernel);
        return kernel;
    }

private:
    const std::string& word(std::size_t at) const { return m_text.tokens()[std::min(at, m_kernel.bodyClose)].text; }
    bool is(std::size_t at, std::string_view text) const { return m_text.is(at, text); }
    std::size_t skipStd(std::size_t at) const { return is(at, "std") && is(at + 1, "::") ? at + 2 : at; }
    std::size_t endOfStatement(std::size_t at) const {
        for (; at < m_kernel.bodyClose && !is(at, ";"); ++at) {
        }
        return at;
    }

    void know(const std::string& name, std::size_t input) {
        if (m_inputs[input].part.isVector) {
            m_sizes.lengths[name] = m_inputs[input].size;
            m_vectors[name] = input;
        } else {
            m_sizes.numbers[name] = m_inputs[input].size;
        }
    }

    // A number that is given another value somewhere has none that is known.
    bool isChanged(const std::string& name) const {
        int times = 0;
        for (std::size_t i = m_kernel.bodyOpen + 1; i < m_kernel.bodyClose; ++i) {
            const bool isThere = is(i, name) && !is(i - 1, ".");
            times += isThere && isAssigning(word(i + 1)) ? (is(i + 1, "=") ? 1 : 2) : 0;
            times += isThere && (is(i - 1, "++") || is(i - 1, "--")) ? 2 : 0;
        }
        return times > 1;
    }

    // What begins or stands at this token, as far as it says a length; everything else is the compiler's matter.
    Result<void> look(std::size_t at) {
        if (is(at, "return")) {
            m_return = at;
        } else if (is(at, "=") && is(at - 1, "]")) {
            bindParts(at);
        } else if (is(at, "=") && m_text.tokens()[at - 1].kind == NodeKind::name) {
            nameValue(at);
        } else if (is(at, "resize") && is(at - 1, ".") && is(at + 1, "(")) {
            GKS_TRY_ASSIGN(const std::size_t close, m_text.closing(at + 1));
            setLength(keyBefore(at - 1), {at + 2, close});
        } else if ((is(at, "output_t") || is(at, ">")) && is(at + 2, "(") && !is(at + 1, "(") &&
                   m_text.tokens()[at + 1].kind == NodeKind::name) {
            GKS_TRY_ASSIGN(const std::size_t close, m_text.closing(at + 2));
            setLength(word(at + 1), {at + 3, close});
        }
        return {};
    }

    // Of the name that ends before this dot.
    std::string keyBefore(std::size_t dot) const {
        if (is(dot - 1, ")")) {
            for (std::size_t back = 6; back < 10 && back < dot; ++back) {
                const CppName name = cppNameAt(m_text, dot - back);
                if (name.end == dot && name.key.find('.') != std::string::npos) {
                    return name.key;
                }
            }
        }
        return word(dot - 1);
    }

    void setLength(const std::string& name, CppRange arguments) {
        const auto parts = cppParts(m_text, arguments);
        const auto size = parts.empty() ? std::nullopt : std::optional(m_sizes.size(parts[0]));
        if (!size || !*size || (m_made.contains(name) && !m_made.at(name).isSame(**size))) {
            m_sizes.lengths.erase(name);
            m_made.erase(name);
            return;
        }
        m_sizes.lengths[name] = **size;
        m_made[name] = **size;
    }

    // auto& [a, b] = data
    void bindParts(std::size_t equals) {
        std::size_t open = equals - 1;
        for (; open > m_kernel.bodyOpen && !is(open, "["); --open) {
        }
        const auto names = cppParts(m_text, {open + 1, equals - 1});
        const bool isData = is(equals + 1, m_data) && is(equals + 2, ";") &&
                            (is(open - 1, "auto") || is(open - 1, "&") || is(open - 1, "&&"));
        for (std::size_t i = 0; isData && !m_isOne && names.size() == m_inputs.size() && i < names.size(); ++i) {
            know(word(names[i].begin), i);
        }
    }

    // auto& a = std::get<0>(data); int n = a.size(); output_t out = data;
    void nameValue(std::size_t equals) {
        const std::string& name = word(equals - 1);
        const CppRange value = {equals + 1, endOfStatement(equals)};
        const CppName from = cppNameAt(m_text, value.begin);
        if (isChanged(name)) {
            return;
        }
        if (from.end == value.end && m_vectors.contains(from.key)) {
            m_sizes.lengths[name] = m_inputs[m_vectors.at(from.key)].size;
            m_vectors[name] = m_vectors.at(from.key);
        } else if (const auto size = value.size() > 0 ? std::optional(m_sizes.size(value)) : std::nullopt;
                   size && *size) {
            m_sizes.numbers[name] = **size;
        }
    }

    Result<std::vector<CppSize>> returned() const {
        CppRange value = {m_return + 1, endOfStatement(m_return)};
        value = unwrapped(value);
        std::vector<CppRange> parts = {value};
        const std::size_t at = skipStd(value.begin);
        const bool isMade = is(at, "make_tuple") || is(at, "make_pair") || is(at, "output_t");
        const std::size_t open = isMade ? at + 1 : at;
        const bool isTuple = m_output.form != CppData::Form::one;
        if (isTuple && (is(open, "{") || (isMade && is(open, "(")))) {
            GKS_TRY_ASSIGN(const std::size_t close, m_text.closing(open));
            parts = cppParts(m_text, {open + 1, close});
        }
        std::vector<CppSize> lengths;
        for (std::size_t i = 0; i < m_output.parts.size(); ++i) {
            const bool isWhole = parts.size() == 1 && isTuple && value.size() == 1;
            const std::string key = isWhole            ? fmt::format("{}.{}", word(value.begin), i)
                                    : i < parts.size() ? nameOf(unwrapped(parts[i]))
                                                       : std::string();
            if (!m_output.parts[i].isVector) {
                lengths.push_back({{"1"}});
                continue;
            }
            const auto known = m_sizes.lengths.find(key);
            if (known == m_sizes.lengths.end()) {
                return m_text.refuse(m_return, "has a ref_kernel whose output has a length that cannot be read: give "
                                               "it one by resize() with the arguments, or return its input");
            }
            lengths.push_back(known->second);
        }
        return lengths;
    }

    std::string nameOf(CppRange value) const {
        const CppName name = cppNameAt(m_text, value.begin);
        return name.end == value.end ? name.key : std::string();
    }

    // (output_t)x, output_t(x), static_cast<output_t>(x), std::move(x)
    CppRange unwrapped(CppRange value) const {
        if (is(value.begin, "(") && is(value.begin + 1, "output_t") && is(value.begin + 2, ")")) {
            value.begin += 3;
        }
        std::size_t open = skipStd(value.begin) + 1;
        if (is(value.begin, "static_cast") && is(value.begin + 2, "output_t")) {
            open = value.begin + 4;
        } else if (!is(open - 1, "move") && !(is(open - 1, "output_t") && m_output.form == CppData::Form::one)) {
            return value;
        }
        const auto close = is(open, "(") ? m_text.closing(open) : Result<std::size_t>(0);
        return close && *close + 1 == value.end ? CppRange{open + 1, *close} : value;
    }

    // Every statement is understood, and one loop gives each element of the output from that element of the inputs.
    std::string element(const CppKernel& kernel) const {
        if (m_output.form != CppData::Form::one || !m_output.parts.front().isVector) {
            return {};
        }
        const CppRange value = unwrapped({m_return + 1, endOfStatement(m_return)});
        const std::string result = value.size() == 1 ? word(value.begin) : std::string();
        std::string found;
        for (std::size_t i = m_kernel.bodyOpen + 1; i < m_kernel.bodyClose;) {
            if (is(i, "for")) {
                std::size_t end = 0;
                if (!found.empty() || (found = loop(i, result, kernel.lengths.front(), end)).empty()) {
                    return {};
                }
                i = end;
                continue;
            }
            const std::size_t end = endOfStatement(i);
            const bool isReturn = is(i, "return") && i == m_return;
            if (!isReturn && !isPlain({i, end}, result)) {
                return {};
            }
            i = end + 1;
        }
        const auto same = m_vectors.find(result);
        if (found.empty() && same != m_vectors.end()) {
            return fmt::format("p.{}[i]", m_inputs[same->second].name);
        }
        return found;
    }

    // A declaration, or a length.
    bool isPlain(CppRange statement, const std::string& result) const {
        for (std::size_t i = statement.begin; i < statement.end; ++i) {
            if (is(i, "=")) {
                const std::string& name = word(i - 1);
                return is(i - 1, "]") || m_sizes.numbers.contains(name) || (m_vectors.contains(name) && name != result);
            }
        }
        const std::string words = cppWords(m_text, statement);
        return words == "output_t " + result || words.starts_with(result + " . resize (") ||
               words.starts_with(result + " . reserve (") || words.starts_with("output_t " + result + " (") ||
               (words.starts_with("vector <") && words.find("> " + result) != std::string::npos);
    }

    std::string loop(std::size_t at, const std::string& result, const CppSize& length, std::size_t& end) const {
        const auto close = m_text.closing(at + 1);
        std::size_t first = at + 2;
        for (; close && first < *close && !is(first, ";"); ++first) {
        }
        std::size_t second = first + 1;
        for (; close && second < *close && !is(second, ";"); ++second) {
        }
        if (!close || second >= *close || !is(first - 1, "0") || !is(first - 2, "=")) {
            return {};
        }
        const std::string variable = word(first - 3);
        CppSizes sizes = m_sizes;
        sizes.lengths[result] = length;
        const auto count = sizes.size({first + 3, second});
        const std::string step = cppWords(m_text, {second + 1, *close});
        const bool isUp = is(first + 1, variable) && is(first + 2, "<") && count && count->isSame(length) &&
                          (step == "++ " + variable || step == variable + " ++");
        std::size_t body = *close + 1;
        const bool hasBlock = is(body, "{");
        body += hasBlock ? 1 : 0;
        const std::size_t stop = endOfStatement(body);
        const bool isOnly = !hasBlock || is(stop + 1, "}");
        if (!isUp || !isOnly || cppWords(m_text, {body, body + 5}) != fmt::format("{} [ {} ] =", result, variable)) {
            return {};
        }
        end = stop + (hasBlock ? 2 : 1);
        return expression({body + 5, stop}, variable, length);
    }

    std::string expression(CppRange range, const std::string& variable, const CppSize& length) const {
        static const std::map<std::string_view, std::string_view> functions = {
            {"fabs", "fabs"}, {"abs", "fabs"},  {"exp", "exp"},     {"log", "log"},
            {"sqrt", "sqrt"}, {"tanh", "tanh"}, {"sin", "sin"},     {"cos", "cos"},
            {"pow", "pow"},   {"erf", "erf"},   {"max", "fmax"},    {"min", "fmin"},
            {"fmax", "fmax"}, {"fmin", "fmin"}, {"float", "float"}, {"double", "double"}};
        static const std::set<std::string_view> symbols = {"+", "-", "*",  "/",  "(",  ")",  ",",  "?",  ":",
                                                           "<", ">", "<=", ">=", "==", "!=", "&&", "||", "!"};
        const bool isSingle = m_output.parts.front().type == ElementType::f32;
        std::string text;
        for (std::size_t i = range.begin; i < range.end; ++i) {
            const CppToken& token = m_text.tokens()[i];
            const std::size_t at = skipStd(i);
            const CppName name = cppNameAt(m_text, i);
            const auto vector = m_vectors.find(name.key);
            const auto function = functions.find(word(at));
            if (vector != m_vectors.end() && is(name.end, "[") && is(name.end + 1, variable) && is(name.end + 2, "]")) {
                if (!m_inputs[vector->second].size.isSame(length)) {
                    return {};
                }
                text += fmt::format("p.{}[i]", m_inputs[vector->second].name);
                i = name.end + 2;
            } else if (function != functions.end() && (is(at + 1, "(") || is(at + 1, ")"))) {
                const bool isType = function->second == "float" || function->second == "double";
                text += fmt::format("{}{}", function->second, isSingle && !isType ? "f" : "");
                i = at;
            } else if (token.kind == NodeKind::number || symbols.contains(token.text)) {
                const bool isSpaced = token.text != "(" && token.text != ")" && token.kind == NodeKind::symbol;
                text += isSpaced ? " " + token.text + " " : token.text;
            } else {
                return {};
            }
        }
        return text;
    }

    const CppText& m_text;
    const CppFunction& m_kernel;
    const CppData& m_output;
    const std::vector<CppInput>& m_inputs;
    bool m_isOne;
    std::string m_data;
    CppSizes m_sizes;
    std::map<std::string, std::size_t> m_vectors; // names of inputs
    std::map<std::string, CppSize> m_made;        // by what is written in ref_kernel itself
    std::size_t m_return = 0;
};

} // namespace

Result<CppKernel> cppKernel(const CppText& text, const CppFunction& kernel, const CppData& output,
                            const CppData& inputType, const std::vector<CppInput>& inputs) {
    return KernelReader(text, kernel, output, inputType, inputs).read();
}

} // namespace gks
