// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace gks {

// Values from as many random words, at most a block of them; the same on every machine.
inline constexpr std::int64_t drawnBlockElements = 1024;

void uniformValues(std::span<const std::uint32_t> words, std::span<double> values); // in (0, 1)
void normalValues(std::span<const std::uint32_t> words, std::span<double> values);
// Exponents are evenly spread, from the smallest up to 2.
void wideValues(std::span<const std::uint32_t> words, int smallestExponent, bool isSigned, std::span<double> values);

} // namespace gks
