// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/cuda_inputs.h"

#include "core/base/text.h"
#include "core/import/cuda_vectors.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

using CppKind = CppToken::Kind;

constexpr int blockLimit = 30;

struct Loop {
    std::string variable;
    CppSize count;
};

class GeneratorReader : CudaVectors {
public:
    GeneratorReader(const CppText& text, const CppFunction& function, const CppData& data,
                    const std::map<std::string, std::string>& dims)
        : CudaVectors(text, data, dims), m_function(function) {}

    Result<CppInputs> read() {
        GKS_TRY(block({m_function.bodyOpen + 1, m_function.bodyClose}, 0));
        if (!m_returned) {
            return m_text.refuse(m_function.bodyClose, "has a generate_input that returns nothing at its end");
        }
        return std::move(m_inputs);
    }

private:
    Result<void> block(CppRange range, int depth) {
        for (std::size_t i = range.begin; i < range.end;) {
            if (m_returned) {
                return refuse(i, "goes on behind return");
            }
            GKS_TRY_ASSIGN(i, statement(i, range.end, depth));
        }
        return {};
    }

    // The place behind it.
    Result<std::size_t> statement(std::size_t at, std::size_t end, int depth) {
        static const std::set<std::string_view> jumps = {"if",  "while", "do",    "switch",
                                                         "try", "goto",  "break", "continue"};
        if (depth > blockLimit) {
            return refuse(at, "has too many blocks within another");
        }
        if (is(at, "{")) {
            GKS_TRY_ASSIGN(const std::size_t close, m_text.closing(at));
            GKS_TRY(block({at + 1, close}, depth + 1));
            return close + 1;
        }
        if (is(at, "for")) {
            return loop(at, end, depth);
        }
        if (jumps.contains(word(at))) {
            return refuse(at, fmt::format("uses {}, which cannot be read", word(at)));
        }
        const std::size_t first = at;
        for (; at < end && !is(at, ";"); ++at) {
            if (is(at, "(") || is(at, "[") || is(at, "{")) {
                GKS_TRY_ASSIGN(at, m_text.closing(at));
            }
        }
        if (at >= end) {
            return refuse(first, "has a statement that does not end");
        }
        GKS_TRY(simple({first, at}));
        return at + 1;
    }

    Result<void> simple(CppRange range) {
        if (range.size() == 0) {
            return {};
        }
        const std::size_t at = skipStd(range.begin);
        if (const std::string* const macro = m_text.macro(word(range.begin)); macro != nullptr) {
            return refuse(range.begin, fmt::format("uses the macro {}, which cannot be read", word(range.begin)));
        }
        if (is(range.begin, "return")) {
            return give({range.begin + 1, range.end});
        }
        if (isEngine(word(at)) && at + 1 < range.end && m_text.tokens()[at + 1].kind == CppKind::name) {
            m_engines.insert(word(at + 1));
            return {};
        }
        if (isDistribution(word(at))) {
            return distribution({at, range.end});
        }
        if (is(at, "srand") || (range.size() > 2 && m_engines.contains(word(at)) && is(at + 2, "seed"))) {
            return {};
        }
        if (is(at, "generate") && is(at + 1, "(")) {
            return generate({at, range.end});
        }
        if (const auto places = assignment(range)) {
            return assign(range, *places);
        }
        if (const auto member = memberCall(range)) {
            return callMember(range, *member);
        }
        return declaration(range);
    }

    struct Assignment {
        std::size_t index; // of the bracket
        std::size_t value;
    };
    // VECTOR[...] = value
    std::optional<Assignment> assignment(CppRange range) {
        std::size_t at = range.begin;
        if (vectorAt(at) == nullptr || !is(at, "[")) {
            return std::nullopt;
        }
        const auto close = m_text.closing(at);
        return close && is(*close + 1, "=") ? std::optional(Assignment{at, *close + 2}) : std::nullopt;
    }

    Result<void> assign(CppRange range, const Assignment& places) {
        std::size_t at = range.begin;
        Vector& vector = *vectorAt(at);
        if (!vector.length) {
            return refuse(range.begin, fmt::format("fills {} before it has a length", vector.name));
        }
        CppSizes sizes = m_sizes;
        std::vector<std::string> bounds;
        std::string wanted;
        for (const Loop& one : m_loops) {
            sizes.numbers[one.variable] = {{"$" + one.variable}};
            bounds.insert(bounds.end(), one.count.factors.begin(), one.count.factors.end());
            wanted =
                wanted.empty() ? "$" + one.variable : fmt::format("{}*{}+${}", wanted, one.count.text(), one.variable);
        }
        GKS_TRY_ASSIGN(const std::size_t close, m_text.closing(places.index));
        GKS_TRY_ASSIGN(const CppSize index, sizes.size({places.index + 1, close}));
        std::vector<std::string> whole = vector.length->factors;
        std::ranges::sort(bounds);
        std::ranges::sort(whole);
        if (index.text() != wanted || bounds != whole || m_loops.size() > 2 || m_loops.empty()) {
            return refuse(range.begin, fmt::format("fills {} in other steps than one loop over the whole of it, or "
                                                   "two over its rows and columns",
                                                   vector.name));
        }
        return fillWith(vector, {places.value, range.end});
    }

    std::optional<std::size_t> memberCall(CppRange range) {
        std::size_t at = range.begin;
        return vectorAt(at) != nullptr && is(at, ".") && is(at + 2, "(") ? std::optional(at) : std::nullopt;
    }

    // data.resize(n), data.assign(n, 1)
    Result<void> callMember(CppRange range, std::size_t dot) {
        std::size_t at = range.begin;
        Vector& vector = *vectorAt(at);
        if (is(dot + 1, "reserve")) {
            return {};
        }
        if (!is(dot + 1, "resize") && !is(dot + 1, "assign")) {
            return refuse(range.begin, fmt::format("calls {} on {}, which cannot be read", word(dot + 1), vector.name));
        }
        GKS_TRY_ASSIGN(const std::size_t close, m_text.closing(dot + 2));
        vector.length = is(dot + 1, "assign") ? std::nullopt : vector.length; // whatever was in it
        return lengthen(vector, {dot + 3, close});
    }

    // std::generate(a.begin(), a.end(), [&]() { return dist(rng); })
    Result<void> generate(CppRange range) {
        GKS_TRY_ASSIGN(const std::size_t close, m_text.closing(range.begin + 1));
        const auto parts = cppParts(m_text, {range.begin + 2, close});
        std::size_t at = range.begin + 2;
        Vector* const vector = parts.size() == 3 ? vectorAt(at) : nullptr;
        const bool isWhole = vector != nullptr && vector->length &&
                             cppWords(m_text, {at, parts[0].end}) == ". begin ( )" &&
                             cppWords(m_text, parts[1]) == cppWords(m_text, {parts[0].begin, at}) + " . end ( )";
        if (!isWhole || !is(parts[2].begin, "[")) {
            return refuse(range.begin, "calls generate in a way that cannot be read");
        }
        GKS_TRY_ASSIGN(std::size_t open, m_text.closing(parts[2].begin));
        ++open;
        if (is(open, "(")) {
            GKS_TRY_ASSIGN(open, m_text.closing(open));
            ++open;
        }
        GKS_TRY_ASSIGN(const std::size_t end, is(open, "{") ? m_text.closing(open) : Result<std::size_t>(open));
        if (!is(open + 1, "return") || !is(end - 1, ";") || end + 1 != parts[2].end) {
            return refuse(parts[2].begin, "has a lambda that does more than to return a value");
        }
        return fillWith(*vector, {open + 2, end - 1});
    }

    // for (int j = 0; j < n; ++j) and for (auto& x : data)
    Result<std::size_t> loop(std::size_t at, std::size_t end, int depth) {
        if (!is(at + 1, "(")) {
            return refuse(at, "has a loop that cannot be read");
        }
        GKS_TRY_ASSIGN(const std::size_t close, m_text.closing(at + 1));
        std::vector<std::size_t> stops;
        for (std::size_t i = at + 2; i < close; ++i) {
            if (is(i, ";")) {
                stops.push_back(i);
            }
        }
        if (stops.empty()) {
            return loopOverElements(at, close, end);
        }
        if (stops.size() != 2 || !is(stops[0] - 2, "=") || !is(stops[0] - 1, "0")) {
            return refuse(at, "has a loop that does not begin at 0");
        }
        const std::string variable = word(stops[0] - 3);
        const std::string step = cppWords(m_text, {stops[1] + 1, close});
        const bool isUp = is(stops[0] + 1, variable) && is(stops[0] + 2, "<") &&
                          (step == "++ " + variable || step == variable + " ++" || step == variable + " += 1");
        if (!isUp) {
            return refuse(at, "has a loop that does not go up by one, below a length");
        }
        GKS_TRY_ASSIGN(CppSize count, m_sizes.size({stops[0] + 3, stops[1]}));
        m_loops.push_back({variable, std::move(count)});
        GKS_TRY_ASSIGN(const std::size_t behind, statement(close + 1, end, depth + 1));
        m_loops.pop_back();
        return behind;
    }

    Result<std::size_t> loopOverElements(std::size_t at, std::size_t close, std::size_t end) {
        std::size_t colon = at + 2;
        for (; colon < close && !is(colon, ":"); ++colon) {
        }
        std::size_t behind = colon + 1;
        Vector* const vector = colon < close ? vectorAt(behind) : nullptr;
        std::size_t body = close + 1;
        const bool hasBlock = is(body, "{");
        body += hasBlock ? 1 : 0;
        std::size_t stop = body;
        for (; stop < end && !is(stop, ";"); ++stop) {
        }
        const bool isFilled = vector != nullptr && vector->length && behind == close && is(colon - 2, "&") &&
                              is(body, word(colon - 1)) && is(body + 1, "=") && (!hasBlock || is(stop + 1, "}")) &&
                              m_loops.empty();
        if (!isFilled) {
            return refuse(at, "has a loop over elements that cannot be read");
        }
        GKS_TRY(fillWith(*vector, {body + 2, stop}));
        return stop + (hasBlock ? 2 : 1);
    }

    // data, {a, b, m}, std::make_tuple(a, b), input_t{a, b}
    Result<void> give(CppRange value) {
        m_returned = true;
        if (!m_loops.empty()) {
            return refuse(value.begin, "returns from within a loop");
        }
        std::vector<CppRange> parts = {value};
        const std::size_t at = skipStd(value.begin);
        const bool isMade =
            is(at, "make_tuple") || is(at, "make_pair") || is(at, "input_t") || is(at, "tuple") || is(at, "pair");
        std::size_t open = isMade ? at + 1 : at;
        if (isMade && is(open, "<")) {
            return refuse(at, "returns something that cannot be read");
        }
        if (m_data.form != CppData::Form::one && value.size() == 1 && m_tuples.contains(word(at))) {
            parts.clear();
        } else if (is(open, "{") || (isMade && is(open, "("))) {
            GKS_TRY_ASSIGN(const std::size_t close, m_text.closing(open));
            if (close + 1 != value.end) {
                return refuse(at, "returns something that cannot be read");
            }
            parts = cppParts(m_text, {open + 1, close});
        }
        if (!parts.empty() && parts.size() != m_data.parts.size()) {
            return refuse(at, fmt::format("returns {} parts where input_t has {}", parts.size(), m_data.parts.size()));
        }
        for (std::size_t i = 0; i < m_data.parts.size(); ++i) {
            GKS_TRY(givePart(i, parts.empty() ? std::nullopt : std::optional(parts[i]), word(at), at));
        }
        return {};
    }

    Result<void> givePart(std::size_t i, std::optional<CppRange> part, const std::string& tuple, std::size_t at) {
        CppInput input;
        input.part = m_data.parts[i];
        input.name = m_data.parts.size() > 1 ? fmt::format("input{}", i) : "data";
        if (part && is(skipStd(part->begin), "move") && is(skipStd(part->begin) + 1, "(")) {
            part = CppRange{skipStd(part->begin) + 2, part->end - 1};
        }
        if (!input.part.isVector) {
            if (!part) {
                return refuse(at, "returns a number that cannot be read");
            }
            GKS_TRY_ASSIGN(input.size, m_sizes.size(*part));
            m_inputs.parts.push_back(std::move(input));
            return {};
        }
        std::size_t behind = part ? part->begin : at;
        const auto held = m_vectors.find(fmt::format("{}.{}", tuple, i));
        const Vector* const vector = part ? vectorAt(behind) : held != m_vectors.end() ? &held->second : nullptr;
        if (vector == nullptr || (part && behind != part->end) || !vector->length) {
            return refuse(part ? part->begin : at,
                          "returns something that is no vector with a length that can be read");
        }
        input.size = *vector->length;
        input.fill = vector->fill;
        const bool isNamed = part && part->size() == 1 && vector->name.find('.') == std::string::npos;
        if (isNamed) {
            input.name = vector->name;
        }
        for (const auto& [name, key] : m_aliases) {
            input.name = key == vector->name ? name : input.name;
        }
        m_inputs.parts.push_back(std::move(input));
        return {};
    }

    const CppFunction& m_function;
    std::vector<Loop> m_loops;
    bool m_returned = false;
    CppInputs m_inputs;
};

} // namespace

Result<CppInputs> cppInputs(const CppText& text, const CppFunction& generate, const CppData& data,
                            const std::map<std::string, std::string>& dims) {
    return GeneratorReader(text, generate, data, dims).read();
}

Result<std::vector<std::string>> cppParameters(const CppText& text, const CppFunction& function) {
    std::vector<std::string> names;
    for (const CppRange& part : cppParts(text, {function.open + 1, function.close}, true)) {
        std::size_t end = part.end;
        for (std::size_t i = part.begin; i < part.end; ++i) {
            end = text.is(i, "=") ? std::min(end, i) : end;
        }
        const bool isNamed = end > part.begin + 1 && text.tokens()[end - 1].kind == CppToken::Kind::name;
        if (!isNamed) {
            return text.refuse(part.begin, fmt::format("has a parameter of {} without a name", function.name));
        }
        names.push_back(text.tokens()[end - 1].text);
    }
    return names;
}

} // namespace gks
