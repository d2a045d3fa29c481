// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/cuda_kernel.h"

#include <algorithm>
#include <set>

namespace gks {
namespace {

constexpr std::size_t checkTokenLimit = 1000;

class ToleranceReader {
public:
    ToleranceReader(const CppText& text, const CppFunction& check) : m_text(text), m_check(check) {}

    // if (fabs(a - b) > epsilon) fail, if (diff > atol + rtol * fabs(b)) fail: one comparison and no other, alone in
    // its condition, of names that are given one value.
    std::optional<Tolerance> read() const {
        std::optional<Tolerance> found;
        if (m_check.bodyClose - m_check.bodyOpen > checkTokenLimit) {
            return std::nullopt;
        }
        for (std::size_t i = m_check.bodyOpen + 1; i < m_check.bodyClose; ++i) {
            const bool isGreater = m_text.is(i, ">") || m_text.is(i, ">=");
            const bool isLess = m_text.is(i, "<") || m_text.is(i, "<=");
            if (!(isGreater || isLess) || !isDifference(i)) {
                continue;
            }
            const std::size_t end = isGreater ? endOfFailure(i) : 0;
            if (found || end == 0 || !(found = limit({i + 1, end}))) {
                return std::nullopt;
            }
        }
        return found;
    }

private:
    static bool isAbsolute(const CppText& text, std::size_t at) { return text.is(at, "fabs") || text.is(at, "abs"); }

    // How often a name is given a value, a default among them.
    std::size_t timesGiven(const std::string& name) const {
        static const std::set<std::string_view> givers = {"=", "+=", "-=", "*=", "/=", "%=", "++", "--"};
        std::size_t times = 0;
        for (std::size_t i = m_check.open; i < m_check.bodyClose; ++i) {
            const auto gives = [&](std::size_t at) { return givers.contains(m_text.tokens()[at].text); };
            times += m_text.is(i, name) && (gives(i + 1) || m_text.is(i - 1, "++") || m_text.is(i - 1, "--")) ? 1 : 0;
        }
        return times;
    }

    // a - b, outside of every bracket.
    bool subtracts(CppRange range) const {
        int depth = 0;
        for (std::size_t i = range.begin; i < range.end; ++i) {
            depth += m_text.is(i, "(") || m_text.is(i, "[") ? 1 : m_text.is(i, ")") || m_text.is(i, "]") ? -1 : 0;
            if (depth == 0 && i > range.begin && m_text.is(i, "-")) {
                return true;
            }
        }
        return false;
    }

    // Of a comparison that is the whole of a condition behind which the check fails: where that ends. Otherwise 0.
    std::size_t endOfFailure(std::size_t comparison) const {
        int depth = 0;
        std::size_t open = comparison;
        for (; open > m_check.bodyOpen && depth <= 0; --open) {
            depth += m_text.is(open, "(") ? 1 : m_text.is(open, ")") ? -1 : 0;
            if (m_text.is(open, "&&") || m_text.is(open, "||") || m_text.is(open, ";")) {
                return 0;
            }
        }
        const std::size_t end = endOfCondition(comparison + 1);
        bool fails = false;
        for (std::size_t i = end + 1; i < end + 5; ++i) { // ) { reporter . fail
            fails = fails || m_text.is(i, "fail");
        }
        return depth == 1 && m_text.is(open, "if") && m_text.is(end, ")") && fails ? end : 0;
    }

    // What ends before the token is fabs(...), or a name that was given that.
    bool isDifference(std::size_t at) const {
        for (std::size_t i = m_check.bodyOpen + 1; i < at; ++i) {
            const auto close =
                isAbsolute(m_text, i) && m_text.is(i + 1, "(") ? m_text.closing(i + 1) : Result<std::size_t>(0);
            if (!close || *close == 0 || !subtracts({i + 2, *close})) {
                continue;
            }
            std::size_t first = i - (m_text.is(i - 1, "::") ? 2 : 0);
            if (*close + 1 == at) {
                return true;
            }
            if (m_text.is(first - 1, "=") && m_text.is(*close + 1, ";") &&
                m_text.is(at - 1, m_text.tokens()[first - 2].text) &&
                timesGiven(m_text.tokens()[first - 2].text) == 1) {
                return true;
            }
        }
        return false;
    }

    std::size_t endOfCondition(std::size_t at) const {
        int depth = 0;
        for (; at < m_check.bodyClose; ++at) {
            depth += m_text.is(at, "(") ? 1 : m_text.is(at, ")") ? -1 : 0;
            if (depth < 0 || m_text.is(at, "&&") || m_text.is(at, "||") || m_text.is(at, ";")) {
                break;
            }
        }
        return at;
    }

    // A sum of numbers and of numbers times fabs(...).
    std::optional<Tolerance> limit(CppRange range) const {
        Tolerance tolerance{0, 0, 0};
        std::size_t begin = range.begin;
        int depth = 0;
        for (std::size_t i = range.begin; i <= range.end; ++i) {
            depth += m_text.is(i, "(") ? 1 : m_text.is(i, ")") ? -1 : 0;
            if (i < range.end && (depth != 0 || !m_text.is(i, "+"))) {
                continue;
            }
            const auto value = i > begin ? number({begin, i}) : std::nullopt;
            const auto factor = value || i < begin + 4 ? std::nullopt : number({begin, begin + 1});
            const std::size_t call = begin + 2 + (m_text.is(begin + 3, "::") ? 2 : 0);
            if (value) {
                tolerance.absolute += *value;
            } else if (factor && m_text.is(begin + 1, "*") && isAbsolute(m_text, call)) {
                tolerance.relative += *factor;
            } else {
                return std::nullopt;
            }
            begin = i + 1;
        }
        const bool isThere = tolerance.absolute < 1 && tolerance.relative < 1;
        return isThere ? std::optional(tolerance) : std::nullopt;
    }

    // A literal, or a name that has one as its default or only value.
    std::optional<double> number(CppRange range) const {
        std::optional<double> value = cppNumber(m_text, range);
        if (!value && (range.size() != 1 || timesGiven(m_text.tokens()[range.begin].text) != 1)) {
            return std::nullopt;
        }
        for (std::size_t i = m_check.open; !value && range.size() == 1 && i < m_check.bodyClose; ++i) {
            if (m_text.is(i, m_text.tokens()[range.begin].text) && m_text.is(i + 1, "=")) {
                std::size_t end = i + 2;
                for (; end < m_check.bodyClose && !m_text.is(end, ",") && !m_text.is(end, ")") && !m_text.is(end, ";");
                     ++end) {
                }
                value = cppNumber(m_text, {i + 2, end});
            }
        }
        return value && *value >= 0 ? value : std::nullopt;
    }

    const CppText& m_text;
    const CppFunction& m_check;
};

} // namespace

std::optional<Tolerance> cppTolerance(const CppText& text, const CppFunction& check) {
    return ToleranceReader(text, check).read();
}

} // namespace gks
