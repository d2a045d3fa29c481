// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

namespace gks {

// The type whose products an instruction of a CDNA device computes: "v_mfma_f32_32x32x16_fp8_fp8" -> "fp8",
// "v_fma_f32" -> "f32". Nothing for what multiplies no floating-point numbers.
std::optional<std::string_view> multiplyType(std::string_view mnemonic);

// Bits of the significand of such a type, the hidden one too; 0 for an unknown name.
int significandBits(std::string_view type);

} // namespace gks
