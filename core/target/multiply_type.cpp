// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/multiply_type.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

// Names are those of the CDNA 3 instruction set: v_OPERATION_TYPE for vectors, v_mfma_RESULT_MxNxK_FACTORS for
// matrices, where two factors of different eight-bit types are both named.
namespace gks {
namespace {

struct FloatType {
    std::string_view name;
    int significandBits;
};
constexpr std::array floatTypes = {FloatType{"f64", 53}, FloatType{"f32", 24}, FloatType{"xf32", 11},
                                   FloatType{"f16", 11}, FloatType{"bf16", 8}, FloatType{"fp8", 4},
                                   FloatType{"bf8", 3}};
constexpr std::array products = {"mul",   "fma",   "fmac",  "mac",  "mad",  "fmaak",
                                 "fmamk", "madak", "madmk", "fmas", "dot2", "dot2c"};

bool isMatrix(std::string_view word) {
    return word == "mfma" || word == "smfmac";
}

} // namespace

int significandBits(std::string_view type) {
    const auto found =
        std::find_if(floatTypes.begin(), floatTypes.end(), [&](const FloatType& one) { return one.name == type; });
    return found == floatTypes.end() ? 0 : found->significandBits;
}

std::optional<std::string_view> multiplyType(std::string_view mnemonic) {
    const std::vector<std::string> words = split(std::string(mnemonic), '_');
    if (words.size() < 3 || words.front() != "v") {
        return std::nullopt;
    }
    const bool isProduct = std::any_of(words.begin(), words.end(), [](const std::string& word) {
        return isMatrix(word) || std::find(products.begin(), products.end(), word) != products.end();
    });
    // Factors come last; the mixed instructions, v_fma_mix_f32, widen theirs before they multiply.
    const bool isMixed =
        std::any_of(words.begin(), words.end(), [](const std::string& word) { return word.starts_with("mix"); });
    const bool hasTwoFactors = isMatrix(words[1]);
    const FloatType* narrowest = nullptr;
    std::size_t factors = 0;
    for (auto word = words.rbegin(); isProduct && word != words.rend() && factors < (hasTwoFactors ? 2 : 1); ++word) {
        if (word->find('x') != std::string::npos && word->front() != 'x') {
            break; // the extents of a matrix: before them stands the type of the result
        }
        const auto type =
            std::find_if(floatTypes.begin(), floatTypes.end(), [&](const FloatType& one) { return one.name == *word; });
        if (type != floatTypes.end()) {
            ++factors;
            narrowest = narrowest == nullptr || type->significandBits < narrowest->significandBits ? &*type : narrowest;
        }
    }
    return narrowest == nullptr ? std::nullopt : std::optional(isMixed ? std::string_view("f32") : narrowest->name);
}

} // namespace gks
