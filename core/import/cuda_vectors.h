// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/import/cuda_inputs.h"

#include <set>

namespace gks {

// The vectors of one function of host code: how they are declared, given a length and filled from a distribution.
class CudaVectors {
public:
    CudaVectors(const CppText& text, const CppData& data, const std::map<std::string, std::string>& dims);

protected:
    struct Vector {
        std::string name;
        std::optional<CppSize> length = {};
        CppFill fill = {};
        bool isWhole = true; // of whole numbers
    };

    const std::string& word(std::size_t at) const;
    bool is(std::size_t at, std::string_view text) const { return m_text.is(at, text); }
    tl::unexpected<Error> refuse(std::size_t at, std::string what) const {
        return m_text.refuse(at, "generate_input " + std::move(what));
    }
    std::size_t skipStd(std::size_t at) const { return is(at, "std") && is(at + 1, "::") ? at + 2 : at; }

    static bool isEngine(std::string_view word);
    static bool isDistribution(std::string_view word);

    // std::uniform_real_distribution<float> dist(0, 1)
    Result<void> distribution(CppRange range);
    // What a name, std::get<1>(data), data.first or data[1] stands for, and the place behind it; null: no vector.
    Vector* vectorAt(std::size_t& at);
    Result<void> fillWith(Vector& vector, CppRange value);
    // (length) or (length, value)
    Result<void> lengthen(Vector& vector, CppRange arguments);
    // input_t data; std::vector<float> a(n), b(n, 1); int total = m * n; auto& a = std::get<0>(data);
    Result<void> declaration(CppRange range);

    const CppText& m_text;
    const CppData& m_data;
    CppSizes m_sizes;
    std::set<std::string> m_engines;
    std::map<std::string, CppFill> m_draws;
    std::map<std::string, Vector> m_vectors; // of a tuple "data.0"
    std::map<std::string, std::string> m_aliases;
    std::set<std::string> m_tuples;

private:
    Result<void> alias(CppRange range);
    Result<void> nameAlias(std::size_t at, const std::string& key);
    Result<void> declareVectors(std::size_t begin, std::size_t end, bool isInput);
    bool isQuotientOfRand(CppRange value) const;
    // dist(rng), 2 * dist(rng) - 1, 5 + dist(rng) * 3
    std::optional<CppFill> drawnFill(CppRange value) const;

    bool m_isWhole = false; // of the vector that is being declared
};

} // namespace gks
