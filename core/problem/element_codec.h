// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/problem/data.h"

#include <cstddef>
#include <span>

// Values to bytes and back for whole spans; data.h has the single-element forms.
namespace gks {

// bytes.size() == values.size() * sizeBytes(type)
void encodeElements(ElementType type, Fp8Encoding encoding, std::span<const double> values, std::span<std::byte> bytes);
void decodeElements(ElementType type, Fp8Encoding encoding, std::span<const std::byte> bytes, std::span<double> values);
// fp8 only; exact in float.
void decodeFp8(ElementType type, Fp8Encoding encoding, std::span<const std::byte> bytes, std::span<float> values);

bool isFp8(ElementType type);
bool isInteger(ElementType type);
// Largest finite value, infinity never.
double largestValue(ElementType type, Fp8Encoding encoding);

} // namespace gks
