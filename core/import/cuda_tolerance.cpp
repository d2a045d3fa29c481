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

    // if (fabs(ref[i] - out[i]) > epsilon) fail, if (diff > atol + rtol * fabs(ref[i])) fail: one comparison of the
    // elements themselves, alone in its condition, and no other that fails.
    std::optional<Tolerance> read() {
        if (m_check.bodyClose - m_check.bodyOpen > checkTokenLimit || !findSides()) {
            return std::nullopt;
        }
        std::optional<Tolerance> found;
        int left = 0; // failures whose condition is not read yet
        for (std::size_t i = m_check.bodyOpen + 1; i < m_check.bodyClose; ++i) {
            if (m_text.is(i, "continue") || m_text.is(i, "else")) {
                return std::nullopt; // of some elements alone
            }
            left += m_text.is(i, "fail") ? 1 : 0;
            const auto close =
                m_text.is(i, "if") && m_text.is(i + 1, "(") ? m_text.closing(i + 1) : Result<std::size_t>(0);
            if (!close || *close == 0 || !failsBehind(*close)) {
                continue;
            }
            --left;
            const CppRange condition = {i + 2, *close};
            if (isOfLengthsOrNaN(condition)) {
                continue;
            }
            if (found || !isForEveryElement(i) || !(found = compared(condition))) {
                return std::nullopt;
            }
        }
        return left == 0 ? found : std::nullopt;
    }

private:
    // An element of what was expected or of what was given, and which.
    struct Element {
        bool isExpected = false;
        std::string place; // "std::get<0>", "[j]"
    };

    const std::string& word(std::size_t at) const {
        return m_text.tokens()[std::min(at, m_text.tokens().size() - 1)].text;
    }
    bool isAbsolute(std::size_t at) const { return m_text.is(at, "fabs") || m_text.is(at, "abs"); }
    std::size_t skipStd(std::size_t at) const { return m_text.is(at, "std") && m_text.is(at + 1, "::") ? at + 2 : at; }
    static bool isGiver(std::string_view text) {
        static const std::set<std::string_view> givers = {
            "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "<<=", ">>=", "++", "--"};
        return givers.contains(text);
    }

    // How often a name is given a value, a default among them.
    std::size_t timesGiven(const std::string& name) const {
        std::size_t times = 0;
        for (std::size_t i = m_check.open; i < m_check.bodyClose; ++i) {
            times += m_text.is(i, name) && (isGiver(word(i + 1)) || m_text.is(i - 1, "++") || m_text.is(i - 1, "--"))
                         ? 1
                         : 0;
        }
        return times;
    }

    // The parameter output_t out, and ref = ref_kernel(...), neither of which is changed.
    bool findSides() {
        for (const CppRange& part : cppParts(m_text, {m_check.open + 1, m_check.close}, true)) {
            for (std::size_t i = part.begin; i < part.end; ++i) {
                m_given = m_text.is(i, "output_t") ? word(part.end - 1) : m_given;
            }
        }
        for (std::size_t i = m_check.bodyOpen + 1; i + 3 < m_check.bodyClose; ++i) {
            if (m_text.is(i + 1, "=") && m_text.is(i + 2, "ref_kernel") && m_text.is(i + 3, "(")) {
                const auto close = m_text.closing(i + 3);
                m_expected = close && m_text.is(*close + 1, ";") ? word(i) : std::string();
            }
        }
        return !m_given.empty() && !m_expected.empty() && timesGiven(m_given) == 0 && timesGiven(m_expected) == 1 &&
               isOnlyRead(m_given) && isOnlyRead(m_expected);
    }

    bool isOnlyRead(const std::string& side) const {
        for (std::size_t i = m_check.bodyOpen + 1; i < m_check.bodyClose; ++i) {
            if (!m_text.is(i, side)) {
                continue;
            }
            std::size_t first = i;
            std::size_t end = i + 1;
            if (m_text.is(i - 2, ">") && m_text.is(i - 1, "(") && m_text.is(i + 1, ")")) { // std::get<0>(out)
                first = i - 5;
                end = i + 2;
                if (!m_text.is(first, "get")) {
                    return false;
                }
            }
            const bool isNamed = m_text.is(i - 1, "output_t") || m_text.is(i + 1, "=");
            const bool isSize = m_text.is(end, ".") && (m_text.is(end + 1, "size") || m_text.is(end + 1, "empty"));
            const bool isShown =
                m_text.is(first - 1, "<<") || m_text.is(first - 1, "-") || m_text.is(end, "-") || isAbsolute(first - 2);
            const auto close = m_text.is(end, "[") ? m_text.closing(end) : Result<std::size_t>(0);
            const bool isElement = close && *close > 0 && !isGiver(word(*close + 1)) && !m_text.is(first - 1, "++") &&
                                   !m_text.is(first - 1, "--") && !m_text.is(first - 1, "&");
            if (!isNamed && !isSize && !isElement && (!isShown || m_text.is(end, "["))) {
                return false;
            }
        }
        return true;
    }

    bool failsBehind(std::size_t close) const {
        bool fails = false;
        for (std::size_t i = close + 1; i < close + 5; ++i) { // ) { reporter . fail
            fails = fails || m_text.is(i, "fail");
        }
        return fails;
    }

    // ref.size() != out.size(), std::isnan(out[j]): the judge sees to these.
    bool isOfLengthsOrNaN(CppRange condition) const {
        static const std::set<std::string_view> others = {"<", ">", "<=", ">=", "-", "/", "fabs", "abs"};
        bool isThere = false;
        for (std::size_t i = condition.begin; i < condition.end; ++i) {
            if (others.contains(word(i))) {
                return false;
            }
            const bool isSize = m_text.is(i, "size") && m_text.is(i - 1, ".") && m_text.is(i - 2, m_given);
            isThere = isThere || isSize || m_text.is(i, "isnan") || m_text.is(i, "isinf") || m_text.is(i, "isfinite");
        }
        return isThere;
    }

    // In no block but those of loops.
    bool isForEveryElement(std::size_t at) const {
        int depth = 0;
        for (std::size_t i = at - 1; i > m_check.bodyOpen; --i) {
            depth += m_text.is(i, "}") ? 1 : m_text.is(i, "{") ? -1 : 0;
            const bool isAround = depth < 0 || (i == at - 1 && m_text.is(i, ")"));
            depth = std::max(depth, 0);
            if (!isAround) {
                continue;
            }
            std::size_t open = m_text.is(i, "{") ? i - 1 : i;
            int brackets = 0;
            for (; open > m_check.bodyOpen; --open) {
                brackets += m_text.is(open, ")") ? 1 : m_text.is(open, "(") ? -1 : 0;
                if (brackets <= 0) {
                    break;
                }
            }
            if (!m_text.is(open - 1, "for")) {
                return false;
            }
        }
        return true;
    }

    // DIFFERENCE > LIMIT
    std::optional<Tolerance> compared(CppRange condition) const {
        int depth = 0;
        for (std::size_t i = condition.begin; i < condition.end; ++i) {
            depth += m_text.is(i, "(") || m_text.is(i, "[") ? 1 : m_text.is(i, ")") || m_text.is(i, "]") ? -1 : 0;
            if (depth == 0 && (m_text.is(i, ">") || m_text.is(i, ">="))) {
                const auto place = difference({condition.begin, i});
                return place ? limit({i + 1, condition.end}, *place) : std::nullopt;
            }
        }
        return std::nullopt;
    }

    // What a name is given, once, as it is declared: float name = ...;
    std::optional<CppRange> valueOf(CppRange range) const {
        if (range.size() != 1 || timesGiven(word(range.begin)) != 1) {
            return std::nullopt;
        }
        for (std::size_t i = m_check.bodyOpen + 1; i < m_check.bodyClose; ++i) {
            const bool isReal = m_text.is(i - 1, "float") || m_text.is(i - 1, "double") || m_text.is(i - 1, "auto");
            if (m_text.is(i, word(range.begin)) && m_text.is(i + 1, "=") && isReal) {
                std::size_t end = i + 2;
                for (; end < m_check.bodyClose && !m_text.is(end, ";"); ++end) {
                }
                return CppRange{i + 2, end};
            }
        }
        return std::nullopt;
    }

    // Of fabs(ref[j] - out[j]), or of a name that was given that, where both stand.
    std::optional<std::string> difference(CppRange range) const {
        range = withoutCasts(m_text, range, Casts::toReal);
        if (const auto value = valueOf(range)) {
            range = withoutCasts(m_text, *value, Casts::toReal);
        }
        const auto inner = absolute(range);
        if (!inner) {
            return std::nullopt;
        }
        int depth = 0;
        for (std::size_t i = inner->begin; i < inner->end; ++i) {
            depth += m_text.is(i, "(") || m_text.is(i, "[") ? 1 : m_text.is(i, ")") || m_text.is(i, "]") ? -1 : 0;
            if (depth == 0 && i > inner->begin && m_text.is(i, "-")) {
                const auto left = element({inner->begin, i});
                const auto right = element({i + 1, inner->end});
                const bool isPlain =
                    left && right && left->isExpected != right->isExpected && left->place == right->place;
                return isPlain ? std::optional(left->place) : std::nullopt;
            }
        }
        return std::nullopt;
    }

    // What is in fabs(...), which has to be the whole.
    std::optional<CppRange> absolute(CppRange range) const {
        const std::size_t at = skipStd(range.begin);
        const auto close = isAbsolute(at) && m_text.is(at + 1, "(") ? m_text.closing(at + 1) : Result<std::size_t>(0);
        return close && *close > 0 && *close + 1 == range.end ? std::optional(CppRange{at + 2, *close}) : std::nullopt;
    }

    // ref[j], float(ref[j]), std::get<0>(ref)[j], the whole of a number, or a name that was given one of these.
    std::optional<Element> element(CppRange range) const {
        range = withoutCasts(m_text, range, Casts::toReal);
        if (const auto value = m_text.is(range.begin, m_expected) ? std::nullopt : valueOf(range)) {
            range = withoutCasts(m_text, *value, Casts::toReal);
        }
        if (range.size() == 0) {
            return std::nullopt;
        }
        const CppName name = cppNameAt(m_text, range.begin);
        const std::string root = name.key.substr(0, name.key.find('.'));
        const auto close =
            m_text.is(name.end, "[") && name.end < range.end ? m_text.closing(name.end) : Result<std::size_t>(0);
        const bool isWhole = name.end == range.end || (close && *close + 1 == range.end);
        if (!isWhole || (root != m_expected && root != m_given)) {
            return std::nullopt;
        }
        return Element{root == m_expected,
                       name.key.substr(root.size()) + " " + cppWords(m_text, {name.end, range.end})};
    }

    // A sum of numbers and of numbers times fabs(ref[j]).
    std::optional<Tolerance> limit(CppRange range, const std::string& place) const {
        Tolerance tolerance{0, 0, 0};
        std::size_t begin = range.begin;
        int depth = 0;
        for (std::size_t i = range.begin; i <= range.end; ++i) {
            depth += i == range.end ? 0 : m_text.is(i, "(") ? 1 : m_text.is(i, ")") ? -1 : 0;
            if (i < range.end && (depth != 0 || !m_text.is(i, "+"))) {
                continue;
            }
            const auto value = i > begin ? number({begin, i}) : std::nullopt;
            const auto factor = value || i < begin + 4 ? std::nullopt : number({begin, begin + 1});
            const auto inner = factor && m_text.is(begin + 1, "*") ? absolute({begin + 2, i}) : std::nullopt;
            const auto of = inner ? element(*inner) : std::nullopt;
            if (value) {
                tolerance.absolute += *value;
            } else if (factor && of && of->isExpected && of->place == place) {
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
        if (!value && (range.size() != 1 || timesGiven(word(range.begin)) != 1)) {
            return std::nullopt;
        }
        for (std::size_t i = m_check.open; !value && range.size() == 1 && i < m_check.bodyClose; ++i) {
            if (m_text.is(i, word(range.begin)) && m_text.is(i + 1, "=")) {
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
    std::string m_given;    // name of the output that is checked
    std::string m_expected; // name of what ref_kernel returns
};

} // namespace

std::optional<Tolerance> cppTolerance(const CppText& text, const CppFunction& check) {
    return ToleranceReader(text, check).read();
}

} // namespace gks
