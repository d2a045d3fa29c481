// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gks {

// zstd, for texts and samples in the campaign file. What was compressed against a dictionary, any text that resembles
// it, is read with the same one only.
std::string compressed(std::string_view bytes, std::string_view dictionary = {});
// Nothing larger than the limit is made room for.
Result<std::string> decompressed(std::string_view bytes, std::string_view where, std::string_view dictionary = {},
                                 std::size_t limitBytes = std::size_t{1} << 30);
std::string compressedSamples(std::span<const double> us);
Result<std::vector<double>> decompressedSamples(std::string_view bytes, std::string_view where);

} // namespace gks
