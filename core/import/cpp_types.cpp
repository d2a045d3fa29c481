// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/import/cpp_sizes.h"

#include <fmt/format.h>

namespace gks {
namespace {

constexpr std::size_t partLimit = 12;
constexpr int typeDepthLimit = 10;

class TypeReader {
public:
    explicit TypeReader(const CppText& text) : m_text(text) {}

    Result<CppData> data(CppRange range, int depth = 0) const {
        if (depth > typeDepthLimit || range.size() == 0) {
            return m_text.refuse(range.begin, "has a type that is too deep");
        }
        range.begin += m_text.is(range.begin, "std") && m_text.is(range.begin + 1, "::") ? 2 : 0;
        if (range.size() == 1) {
            if (const auto alias = aliasOf(m_text.tokens()[range.begin].text)) {
                GKS_TRY_ASSIGN(const CppRange meant, *alias);
                return data(meant, depth + 1);
            }
        }
        const bool hasParts = range.size() > 3 && m_text.is(range.begin + 1, "<") && m_text.is(range.end - 1, ">");
        const CppRange inner = {range.begin + 2, range.end - 1};
        const std::string& word = m_text.tokens()[range.begin].text;
        if (hasParts && (word == "tuple" || word == "pair")) {
            return tuple(inner, depth);
        }
        if (hasParts && word == "array") {
            return array(inner, depth);
        }
        if (hasParts && word == "vector") {
            GKS_TRY_ASSIGN(const CppData element, data(inner, depth + 1));
            if (element.form != CppData::Form::one || element.parts.front().isVector) {
                return m_text.refuse(range.begin, "has a vector of something else than numbers");
            }
            CppPart part = element.parts.front();
            part.isVector = true;
            part.cppType = fmt::format("std::vector<{}>", part.cppType);
            return CppData{{part}, CppData::Form::one, part.cppType};
        }
        const std::string words = cppWords(m_text, range);
        const auto type = cppElement(words);
        if (!type) {
            return m_text.refuse(range.begin, fmt::format("has the type {}: vectors of float, double and whole "
                                                          "numbers, and tuples of these, can be tensors",
                                                          abbreviated(words, 60)));
        }
        const std::string standard = words.ends_with("_t") ? "std::" + words : words;
        return CppData{{CppPart{*type, false, standard}}, CppData::Form::one, standard};
    }

    // using NAME = TYPE; and typedef TYPE NAME;
    std::optional<Result<CppRange>> aliasOf(std::string_view name) const {
        std::optional<Result<CppRange>> found;
        for (std::size_t i = 1; i + 1 < m_text.tokens().size(); ++i) {
            if (!m_text.is(i, name)) {
                continue;
            }
            const bool isUsing = m_text.is(i - 1, "using") && m_text.is(i + 1, "=");
            std::size_t begin = isUsing ? i + 2 : i;
            std::size_t end = i;
            if (isUsing) {
                for (end = begin; end < m_text.tokens().size() && !m_text.is(end, ";"); ++end) {
                }
            } else if (m_text.is(i + 1, ";")) {
                for (; begin > 0 && !m_text.is(begin - 1, ";") && !m_text.is(begin - 1, "}") &&
                       !m_text.is(begin - 1, "typedef");
                     --begin) {
                }
                if (begin == 0 || !m_text.is(begin - 1, "typedef")) {
                    continue;
                }
            } else if (m_text.is(i - 1, "struct") || m_text.is(i - 1, "class")) {
                return Result<CppRange>(
                    m_text.refuse(i, fmt::format("makes {} a class: vectors of numbers, and tuples of these, can be "
                                                 "tensors",
                                                 name)));
            } else {
                continue;
            }
            if (found) {
                return Result<CppRange>(m_text.refuse(i, fmt::format("defines {} more than once", name)));
            }
            found = CppRange{begin, end};
        }
        return found;
    }

private:
    Result<CppData> tuple(CppRange inner, int depth) const {
        CppData data_{{}, CppData::Form::tuple, {}};
        std::vector<std::string> types;
        for (const CppRange& part : cppParts(m_text, inner, true)) {
            GKS_TRY_ASSIGN(const CppData one, data(part, depth + 1));
            if (one.form != CppData::Form::one || data_.parts.size() == partLimit) {
                return m_text.refuse(part.begin, "has a tuple of tuples, or of too many parts");
            }
            data_.parts.push_back(one.parts.front());
            types.push_back(one.cppType);
        }
        data_.cppType = fmt::format("std::tuple<{}>", join(types, ", "));
        return data_;
    }

    Result<CppData> array(CppRange inner, int depth) const {
        const auto parts = cppParts(m_text, inner, true);
        CppSizes sizes(m_text);
        sizes.numbers = cppConstants(m_text);
        const auto count = parts.size() == 2 ? sizes.size(parts[1]) : Result<CppSize>(CppSize{{"0"}});
        if (!count || count->factors.size() != 1 || count->text().size() > 2 ||
            count->text().find_first_not_of("0123456789") != std::string::npos) {
            return m_text.refuse(inner.begin, "has an array whose length cannot be read");
        }
        const std::size_t many = std::stoul(count->text());
        GKS_TRY_ASSIGN(const CppData one, data(parts[0], depth + 1));
        if (one.form != CppData::Form::one || many < 1 || many > partLimit) {
            return m_text.refuse(inner.begin,
                                 fmt::format("has an array of something else than 1 to {} vectors", partLimit));
        }
        return CppData{std::vector<CppPart>(many, one.parts.front()), CppData::Form::array,
                       fmt::format("std::array<{}, {}>", one.cppType, many)};
    }

    const CppText& m_text;
};

} // namespace

Result<CppData> cppData(const CppText& text, std::string_view name) {
    const TypeReader reader(text);
    const auto alias = reader.aliasOf(name);
    if (!alias) {
        return usageError(fmt::format("says nowhere what {} is", name), text.place(0),
                          "Write the problem pack by hand");
    }
    GKS_TRY_ASSIGN(const CppRange range, *alias);
    return reader.data(range);
}

} // namespace gks
