// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/cuda_vectors.h"

#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

using CppKind = CppToken::Kind;

bool isWholeType(ElementType type) {
    return type != ElementType::f32 && type != ElementType::f64;
}

} // namespace

CudaVectors::CudaVectors(const CppText& text, const CppData& data, const std::map<std::string, std::string>& dims)
    : m_text(text), m_data(data), m_sizes(text) {
    m_sizes.numbers = cppConstants(text);
    for (const auto& [parameter, dim] : dims) {
        m_sizes.numbers[parameter] = {{dim}};
    }
}

const std::string& CudaVectors::word(std::size_t at) const {
    static const std::string nothing;
    return at < m_text.tokens().size() ? m_text.tokens()[at].text : nothing;
}

bool CudaVectors::isEngine(std::string_view word) {
    static const std::set<std::string_view> names = {"mt19937", "mt19937_64", "default_random_engine", "minstd_rand",
                                                     "minstd_rand0"};
    return names.contains(word);
}
bool CudaVectors::isDistribution(std::string_view word) {
    return word == "uniform_real_distribution" || word == "normal_distribution" || word == "uniform_int_distribution";
}

// std::uniform_real_distribution<float> dist(0, 1)
Result<void> CudaVectors::distribution(CppRange range) {
    std::size_t at = range.begin + 1;
    if (is(at, "<")) {
        for (; at < range.end && !is(at, ">"); ++at) {
        }
        ++at;
    }
    if (at >= range.end || m_text.tokens()[at].kind != CppKind::name) {
        return refuse(range.begin, "has a distribution that cannot be read");
    }
    const std::string name = word(at++);
    std::vector<double> bounds;
    if (at < range.end) {
        GKS_TRY_ASSIGN(const std::size_t close, m_text.closing(at));
        if (close + 1 != range.end) {
            return refuse(range.begin, "has a distribution that cannot be read");
        }
        for (const CppRange& part : cppParts(m_text, {at + 1, close})) {
            const auto value = cppNumber(m_text, part);
            if (!value) {
                return refuse(part.begin, "draws between bounds that are no plain numbers");
            }
            bounds.push_back(*value);
        }
    }
    const std::string& kind = word(range.begin);
    const double first = bounds.empty() ? 0 : bounds[0];
    const double second = bounds.size() < 2 ? 1 : bounds[1];
    const bool isNormal = kind == "normal_distribution";
    const double scale = isNormal ? second : second - first;
    if (kind == "uniform_int_distribution" || bounds.size() > 2 || !(scale > 0)) {
        return refuse(range.begin,
                      fmt::format("draws from {}({}): packs draw real numbers, uniformly between two bounds "
                                  "or normally",
                                  kind, fmt::join(bounds, ", ")));
    }
    const CppFill fill = {isNormal ? Fill::normal : Fill::uniform, scale, first};
    const auto known = m_draws.find(name);
    const bool isSame = known == m_draws.end() || (known->second.kind == fill.kind && known->second.scale == scale &&
                                                   known->second.offset == first);
    if (!isSame || m_engines.contains(name) || m_vectors.contains(name) || m_aliases.contains(name)) {
        return refuse(range.begin, fmt::format("defines {} more than once", abbreviated(name, 40)));
    }
    m_draws[name] = fill;
    return {};
}

// What a name, std::get<1>(data), data.first or data[1] stands for, and the place behind it; null: no vector.
CudaVectors::Vector* CudaVectors::vectorAt(std::size_t& at) {
    CppName name = cppNameAt(m_text, at);
    std::string& key = name.key;
    const std::string element = key + "." + word(name.end + 1);
    if (is(name.end, "[") && is(name.end + 2, "]") && m_vectors.contains(element)) {
        key = element; // of an array of vectors
        name.end += 3;
    }
    if (const auto alias = m_aliases.find(key); alias != m_aliases.end()) {
        key = alias->second;
    }
    const auto found = m_vectors.find(key);
    if (found == m_vectors.end()) {
        return nullptr;
    }
    at = name.end;
    return &found->second;
}

Result<void> CudaVectors::fillWith(Vector& vector, CppRange value) {
    if (const auto drawn = drawnFill(value)) {
        vector.fill = *drawn;
    } else if (const auto number = cppNumber(m_text, value); number && (*number == 0 || *number == 1)) {
        vector.fill = {*number == 0 ? Fill::zeros : Fill::ones};
    } else {
        return refuse(value.begin,
                      fmt::format("gives {} the values {}: packs draw uniformly or normally, with a factor "
                                  "and a summand, or take 0 or 1",
                                  vector.name, abbreviated(cppWords(m_text, value), 60)));
    }
    if (vector.isWhole && vector.fill.kind != Fill::zeros && vector.fill.kind != Fill::ones) {
        return refuse(value.begin, fmt::format("draws whole numbers for {}, which packs draw otherwise", vector.name));
    }
    return {};
}

std::optional<CppFill> CudaVectors::drawnFill(CppRange value) const {
    const CppRange plain = withoutCasts(m_text, value, Casts::toReal);
    const bool isDrawn = plain.size() == 4 && is(plain.begin + 1, "(") && is(plain.begin + 3, ")") &&
                         m_draws.contains(word(plain.begin)) && m_engines.contains(word(plain.begin + 2));
    if (isDrawn) {
        return m_draws.at(word(plain.begin));
    }
    if (isQuotientOfRand(value)) {
        return CppFill{Fill::uniform};
    }
    // The last sign outside of brackets, else the last *; one side of it has to be a number.
    std::size_t sign = 0;
    std::size_t times = 0;
    int depth = 0;
    for (std::size_t i = plain.begin; i < plain.end; ++i) {
        depth += is(i, "(") ? 1 : is(i, ")") ? -1 : 0;
        if (depth == 0 && i > plain.begin) {
            const bool isSign = (is(i, "+") || is(i, "-")) && !is(i - 1, "*");
            sign = isSign ? i : sign;
            times = is(i, "*") ? i : times;
        }
    }
    const std::size_t middle = sign > 0 ? sign : times;
    if (middle == 0) {
        return std::nullopt;
    }
    const CppRange left = {plain.begin, middle};
    const CppRange right = {middle + 1, plain.end};
    const auto leftNumber = cppNumber(m_text, left);
    const auto rightNumber = cppNumber(m_text, right);
    auto inner = leftNumber ? drawnFill(right) : rightNumber ? drawnFill(left) : std::nullopt;
    if (!inner) {
        return std::nullopt;
    }
    const double number = leftNumber ? *leftNumber : *rightNumber;
    const double factor = sign == 0 ? number : is(middle, "-") && leftNumber ? -1 : 1;
    const double summand = sign == 0 ? 0 : is(middle, "-") && !leftNumber ? -number : number;
    inner->scale *= factor;
    inner->offset = inner->offset * factor + summand;
    return inner->scale != 0 ? inner : std::nullopt;
}

// static_cast<float>(rand()) / RAND_MAX
bool CudaVectors::isQuotientOfRand(CppRange value) const {
    for (std::size_t i = value.begin; i < value.end; ++i) {
        if (is(i, "/")) {
            const std::string above = cppWords(m_text, withoutCasts(m_text, {value.begin, i}, Casts::toReal));
            const std::string below = cppWords(m_text, withoutCasts(m_text, {i + 1, value.end}, Casts::toReal));
            const std::string all = cppWords(m_text, value);
            return above == "rand ( )" && below == "RAND_MAX" && all.find("float") != std::string::npos;
        }
    }
    return false;
}

// (length) or (length, value)
Result<void> CudaVectors::lengthen(Vector& vector, CppRange arguments) {
    const auto parts = cppParts(m_text, arguments);
    if (parts.empty() || parts.size() > 2) {
        return refuse(arguments.begin, fmt::format("gives {} a length that cannot be read", vector.name));
    }
    GKS_TRY_ASSIGN(CppSize length, m_sizes.size(parts[0]));
    if (vector.length) { // what is in it stays
        return length.text() == vector.length->text()
                   ? Result<void>()
                   : refuse(arguments.begin, fmt::format("gives {} a second length", vector.name));
    }
    vector.length = std::move(length);
    m_sizes.lengths[vector.name] = *vector.length;
    vector.fill = {};
    return parts.size() == 2 ? fillWith(vector, parts[1]) : Result<void>();
}

// input_t data; std::vector<float> a(n), b(n, 1); int total = m * n; auto& a = std::get<0>(data);
Result<void> CudaVectors::declaration(CppRange range) {
    std::size_t at = range.begin;
    while (is(at, "const") || is(at, "constexpr") || is(at, "static")) {
        ++at;
    }
    at = skipStd(at);
    if (is(at, "input_t")) {
        return declareVectors(at + 1, range.end, true);
    }
    if (is(at, "vector") && is(at + 1, "<")) {
        std::size_t close = at + 2;
        for (; close < range.end && !is(close, ">"); ++close) {
        }
        if (is(close + 1, "&")) {
            return alias({close + 1, range.end});
        }
        const auto type = cppElement(cppWords(m_text, {at + 2, close}));
        m_isWhole = !type || (*type != ElementType::f32 && *type != ElementType::f64);
        return declareVectors(close + 1, range.end, false);
    }
    if (is(at, "auto") && (is(at + 1, "&") || is(at + 1, "&&"))) {
        return alias({at + 1, range.end});
    }
    std::size_t equals = at;
    for (; equals < range.end && !is(equals, "="); ++equals) {
    }
    if (equals > at && equals < range.end && m_text.tokens()[equals - 1].kind == CppKind::name) {
        const std::string& name = word(equals - 1);
        if (equals == at + 1 || m_sizes.numbers.contains(name)) {
            return refuse(at, fmt::format("gives {} another value, which cannot be read", abbreviated(name, 40)));
        }
        GKS_TRY_ASSIGN(m_sizes.numbers[name], m_sizes.size({equals + 1, range.end}));
        return {};
    }
    return refuse(range.begin,
                  fmt::format("has a statement that cannot be read: {}", abbreviated(cppWords(m_text, range), 60)));
}

Result<void> CudaVectors::nameAlias(std::size_t at, const std::string& key) {
    const auto known = m_aliases.find(word(at));
    if ((known != m_aliases.end() && known->second != key) || m_vectors.contains(word(at))) {
        return refuse(at, fmt::format("defines {} more than once", abbreviated(word(at), 40)));
    }
    m_aliases[word(at)] = key;
    return {};
}

// & a = std::get<0>(data), & [a, b] = data
Result<void> CudaVectors::alias(CppRange range) {
    std::size_t at = range.begin + 1;
    if (is(at, "[")) {
        GKS_TRY_ASSIGN(const std::size_t close, m_text.closing(at));
        const auto names = cppParts(m_text, {at + 1, close});
        if (is(close + 1, "=") && close + 3 == range.end && m_tuples.contains(word(close + 2)) &&
            names.size() == m_data.parts.size()) {
            for (std::size_t i = 0; i < names.size(); ++i) {
                GKS_TRY(nameAlias(names[i].begin, fmt::format("{}.{}", word(close + 2), i)));
            }
            return {};
        }
    } else if (is(at + 1, "=")) {
        std::size_t behind = at + 2;
        if (vectorAt(behind) != nullptr && behind == range.end) {
            for (const auto& [key, vector] : m_vectors) {
                std::size_t again = at + 2;
                if (vectorAt(again) == &vector) {
                    return nameAlias(at, key);
                }
            }
            return {};
        }
    }
    return refuse(range.begin, "names a part of something that cannot be read");
}

Result<void> CudaVectors::declareVectors(std::size_t begin, std::size_t end, bool isInput) {
    for (const CppRange& one : cppParts(m_text, {begin, end})) {
        const std::string name = word(one.begin);
        if (m_text.tokens()[one.begin].kind != CppKind::name) {
            return refuse(one.begin, "declares something that cannot be read");
        }
        if (m_vectors.contains(name) || m_aliases.contains(name) || m_tuples.contains(name)) {
            return refuse(one.begin, fmt::format("defines {} more than once", abbreviated(name, 40)));
        }
        if (isInput && m_data.form != CppData::Form::one) {
            if (one.size() != 1 && cppWords(m_text, {one.begin + 1, one.end}) != "{ }") {
                return refuse(one.begin, "makes all inputs at once, which cannot be read");
            }
            m_tuples.insert(name);
            for (std::size_t i = 0; i < m_data.parts.size(); ++i) {
                const std::string key = fmt::format("{}.{}", name, i);
                m_vectors[key] = {key, {}, {}, isWholeType(m_data.parts[i].type)};
            }
            continue;
        }
        Vector& vector = m_vectors[name];
        vector = {name, {}, {}, isInput ? isWholeType(m_data.parts.front().type) : m_isWhole};
        if (one.size() > 1 && is(one.begin + 1, "(")) {
            GKS_TRY(lengthen(vector, {one.begin + 2, one.end - 1}));
        } else if (one.size() > 1) {
            return refuse(one.begin, fmt::format("makes {} in a way that cannot be read", name));
        }
    }
    return {};
}

} // namespace gks
