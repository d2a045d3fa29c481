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
        for (const CppRange& part : cppParts(m_text, {at + 1, close})) {
            const auto value = cppNumber(m_text, part);
            if (!value) {
                return refuse(part.begin, "draws between bounds that are no plain numbers");
            }
            bounds.push_back(*value);
        }
    }
    const std::string& kind = word(range.begin);
    const bool isStandard = (bounds.empty() || bounds[0] == 0) && (bounds.size() < 2 || bounds[1] == 1);
    if (kind == "uniform_int_distribution" || !isStandard || bounds.size() > 2) {
        return refuse(range.begin,
                      fmt::format("draws from {}({}): packs draw uniformly from 0 to 1, or from the standard "
                                  "normal distribution",
                                  kind, fmt::join(bounds, ", ")));
    }
    m_draws[name] = kind == "normal_distribution" ? Fill::normal : Fill::uniform;
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
    const CppRange plain = withoutCasts(m_text, value);
    const bool isDrawn = plain.size() == 4 && is(plain.begin + 1, "(") && is(plain.begin + 3, ")") &&
                         m_draws.contains(word(plain.begin)) && m_engines.contains(word(plain.begin + 2));
    if (isDrawn) {
        vector.fill = m_draws.at(word(plain.begin));
    } else if (isQuotientOfRand(value)) {
        vector.fill = Fill::uniform;
    } else if (const auto number = cppNumber(m_text, value); number && (*number == 0 || *number == 1)) {
        vector.fill = *number == 0 ? Fill::zeros : Fill::ones;
    } else {
        return refuse(value.begin, fmt::format("gives {} the values {}: packs draw uniformly from 0 to 1, or from "
                                               "the standard normal distribution, or take 0 or 1",
                                               vector.name, abbreviated(cppWords(m_text, value), 60)));
    }
    if (vector.isWhole && vector.fill != Fill::zeros && vector.fill != Fill::ones) {
        return refuse(value.begin, fmt::format("draws whole numbers for {}, which packs draw otherwise", vector.name));
    }
    return {};
}

// static_cast<float>(rand()) / RAND_MAX
bool CudaVectors::isQuotientOfRand(CppRange value) const {
    for (std::size_t i = value.begin; i < value.end; ++i) {
        if (is(i, "/")) {
            const std::string above = cppWords(m_text, withoutCasts(m_text, {value.begin, i}));
            const std::string below = cppWords(m_text, withoutCasts(m_text, {i + 1, value.end}));
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
    vector.fill = Fill::zeros;
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

// & a = std::get<0>(data), & [a, b] = data
Result<void> CudaVectors::alias(CppRange range) {
    std::size_t at = range.begin + 1;
    if (is(at, "[")) {
        GKS_TRY_ASSIGN(const std::size_t close, m_text.closing(at));
        const auto names = cppParts(m_text, {at + 1, close});
        if (is(close + 1, "=") && close + 3 == range.end && m_tuples.contains(word(close + 2)) &&
            names.size() == m_data.parts.size()) {
            for (std::size_t i = 0; i < names.size(); ++i) {
                m_aliases[word(names[i].begin)] = fmt::format("{}.{}", word(close + 2), i);
            }
            return {};
        }
    } else if (is(at + 1, "=")) {
        std::size_t behind = at + 2;
        if (vectorAt(behind) != nullptr && behind == range.end) {
            for (const auto& [key, vector] : m_vectors) {
                std::size_t again = at + 2;
                if (vectorAt(again) == &vector) {
                    m_aliases[word(at)] = key;
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
        if (m_text.tokens()[one.begin].kind != CppKind::name || m_vectors.contains(name)) {
            return refuse(one.begin, "declares something that cannot be read");
        }
        if (isInput && m_data.form != CppData::Form::one) {
            if (one.size() != 1 && cppWords(m_text, {one.begin + 1, one.end}) != "{ }") {
                return refuse(one.begin, "makes all inputs at once, which cannot be read");
            }
            m_tuples.insert(name);
            for (std::size_t i = 0; i < m_data.parts.size(); ++i) {
                const std::string key = fmt::format("{}.{}", name, i);
                m_vectors[key] = {key, {}, Fill::zeros, isWholeType(m_data.parts[i].type)};
            }
            continue;
        }
        Vector& vector = m_vectors[name];
        vector = {name, {}, Fill::zeros, isInput ? isWholeType(m_data.parts.front().type) : m_isWhole};
        if (one.size() > 1 && is(one.begin + 1, "(")) {
            GKS_TRY(lengthen(vector, {one.begin + 2, one.end - 1}));
        } else if (one.size() > 1) {
            return refuse(one.begin, fmt::format("makes {} in a way that cannot be read", name));
        }
    }
    return {};
}

} // namespace gks
