// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and functions of one number, as they are written in the reference and in the first kernel.
#pragma once

#include <fmt/format.h>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gks {

struct CodeDialect {
    std::string type;   // "double", "float"
    std::string prefix; // "std::" before functions
    bool isDevice = false;
};

class FunctionCode {
public:
    explicit FunctionCode(CodeDialect dialect) : m_dialect(std::move(dialect)) {}

protected:
    std::string numberText(double value) const {
        const std::string text = fmt::format("{:.17g}", value);
        return text + (text.find_first_of(".en") == std::string::npos ? ".0" : "") + (m_dialect.isDevice ? "f" : "");
    }

    std::string call(std::string_view function, const std::string& argument) const {
        const std::string suffix = m_dialect.isDevice ? "f" : "";
        const std::string name = function == "abs" ? "fabs" : std::string(function);
        return fmt::format("{}{}{}({})", m_dialect.prefix, name, suffix, argument);
    }

    std::string unaryCode(const std::string& word, const std::string& x) const {
        if (word == "neg") {
            return "-" + x;
        }
        if (word == "rsqrt") {
            return "1 / " + call("sqrt", x);
        }
        if (word == "sigmoid" || word == "silu") {
            return fmt::format("{} / (1 + {})", word == "silu" ? x : "1", call("exp", "-" + x));
        }
        if (word == "relu") {
            return fmt::format("{0} > 0 ? {0} : 0", x);
        }
        if (word == "square") {
            return fmt::format("{0} * {0}", x);
        }
        return word == "reciprocal" ? "1 / " + x : call(word, x);
    }

    // |f'(x)|, where f(x) is at hand.
    std::string slopeCode(const std::string& word, const std::string& x, const std::string& f) const {
        const std::map<std::string_view, std::string> slopes = {
            {"exp", f},
            {"expm1", f + " + 1"},
            {"exp2", "0.6931471805599453 * " + f},
            {"log", "1 / " + x},
            {"log1p", fmt::format("1 / (1 + {})", x)},
            {"log2", "1.4426950408889634 / " + x},
            {"sqrt", fmt::format("0.5 / {}", f)},
            {"rsqrt", fmt::format("0.5 * {} / {}", f, x)},
            {"sin", call("cos", x)},
            {"cos", call("sin", x)},
            {"tanh", fmt::format("1 - {0} * {0}", f)},
            {"erf", fmt::format("1.1283791670955126 * {}", call("exp", fmt::format("-{0} * {0}", x)))},
            {"sigmoid", fmt::format("{0} * (1 - {0})", f)},
            {"silu", "1.1"},
            {"square", "2 * " + x},
            {"reciprocal", fmt::format("{0} * {0}", f)}};
        const auto found = slopes.find(word);
        return found == slopes.end() ? "1.0" : call("abs", found->second); // neg, abs, relu
    }

    // One of these by its index.
    std::string tableCode(const std::vector<double>& values, const std::string& index) const {
        std::string text = numberText(values.back());
        for (std::size_t i = values.size() - 1; i-- > 0;) {
            text = fmt::format("{} == {} ? {} : {}", index, i, numberText(values[i]), text);
        }
        return text;
    }

    CodeDialect m_dialect;
};

} // namespace gks
