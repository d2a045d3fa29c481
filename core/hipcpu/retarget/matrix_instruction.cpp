// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/matrix_instruction.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

namespace gks::hipcpu {
namespace {

std::optional<MatrixType> elementType(std::string_view name) {
    static constexpr std::array<std::pair<std::string_view, MatrixType>, 8> types = {{{"f32", MatrixType::f32},
                                                                                      {"xf32", MatrixType::xf32},
                                                                                      {"f16", MatrixType::f16},
                                                                                      {"bf16", MatrixType::bf16},
                                                                                      {"fp8", MatrixType::fp8},
                                                                                      {"bf8", MatrixType::bf8},
                                                                                      {"i8", MatrixType::i8},
                                                                                      {"f64", MatrixType::f64}}};
    for (const auto& [text, type] : types) {
        if (text == name) {
            return type;
        }
    }
    return std::nullopt;
}

// Takes a number and, unless it is the last of a shape, the 'x' behind it.
bool takeSize(std::string_view& text, bool last, std::uint16_t& size) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error != std::errc() || size == 0) {
        return false;
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (last) {
        return true;
    }
    const bool separated = !text.empty() && text.front() == 'x';
    text.remove_prefix(separated ? 1 : 0);
    return separated;
}

// Shapes with twice the K of gfx942's: LLVM 20, IntrinsicsAMDGPU.td and BuiltinsAMDGPU.def.
constexpr auto namesOfGfx950 = std::to_array<std::string_view>({"mfma_scale_f32_16x16x128_f8f6f4",
                                                                "mfma_scale_f32_32x32x64_f8f6f4",
                                                                "mfma_f32_16x16x32_f16",
                                                                "mfma_f32_16x16x32_bf16",
                                                                "mfma_f32_32x32x16_f16",
                                                                "mfma_f32_32x32x16_bf16",
                                                                "mfma_i32_16x16x64_i8",
                                                                "mfma_i32_32x32x32_i8",
                                                                "smfmac_f32_16x16x64_f16",
                                                                "smfmac_f32_32x32x32_f16",
                                                                "smfmac_f32_16x16x64_bf16",
                                                                "smfmac_f32_32x32x32_bf16",
                                                                "smfmac_i32_16x16x128_i8",
                                                                "smfmac_i32_32x32x64_i8",
                                                                "smfmac_f32_16x16x128_bf8_bf8",
                                                                "smfmac_f32_16x16x128_bf8_fp8",
                                                                "smfmac_f32_16x16x128_fp8_bf8",
                                                                "smfmac_f32_16x16x128_fp8_fp8",
                                                                "smfmac_f32_32x32x64_bf8_bf8",
                                                                "smfmac_f32_32x32x64_bf8_fp8",
                                                                "smfmac_f32_32x32x64_fp8_bf8",
                                                                "smfmac_f32_32x32x64_fp8_fp8"});

} // namespace

bool isMatrixOfGfx950(std::string_view name) {
    const std::string plain = replaceAll(std::string(name), ".", "_");
    return std::find(namesOfGfx950.begin(), namesOfGfx950.end(), plain) != namesOfGfx950.end();
}

std::optional<MatrixInstruction> decodeMatrixName(std::string_view name) {
    std::vector<std::string> parts = split(replaceAll(std::string(name), ".", "_"), '_');
    MatrixInstruction what{};
    if (parts.size() == 5 && parts[1] == "scale" && parts[4] == "f8f6f4") {
        what.mixed = 1;
        parts.erase(parts.begin() + 1);
        parts.back() = "fp8";
    }
    if (parts.size() < 3 || (parts[0] != "mfma" && parts[0] != "smfmac")) {
        return std::nullopt;
    }
    what.sparse = parts[0] == "smfmac" ? 1 : 0;
    const auto accumulator = elementType(parts[1] == "i32" ? "i8" : parts[1]);
    std::string_view shape = parts[2];
    if (!accumulator || !takeSize(shape, false, what.m) || !takeSize(shape, false, what.n) ||
        !takeSize(shape, true, what.k)) {
        return std::nullopt;
    }
    what.accumulator = *accumulator;
    // The operand types either stick to the shape (32x32x8f16) or follow it (.i8, .xf32, .fp8.bf8).
    const std::string_view first = !shape.empty()     ? shape
                                   : parts.size() > 3 ? std::string_view(parts[3])
                                                      : std::string_view();
    const std::string_view second = shape.empty() && parts.size() > 4 ? std::string_view(parts[4]) : first;
    const auto a = elementType(first);
    const auto b = elementType(second);
    if (!a || !b) {
        return std::nullopt;
    }
    what.a = *a;
    what.b = *b;
    return what;
}

std::uint16_t matrixBlocks(const MatrixInstruction& what, unsigned accumulatorElements) {
    return static_cast<std::uint16_t>(accumulatorElements * waveSize / (unsigned{what.m} * what.n));
}

} // namespace gks::hipcpu
