// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gks {

// Models count differently; four bytes a token is what they come to on English text and code, within a fifth or so.
inline constexpr std::size_t bytesPerToken = 4;
constexpr std::int64_t estimatedTokens(std::string_view text) {
    return static_cast<std::int64_t>((text.size() + bytesPerToken - 1) / bytesPerToken);
}

} // namespace gks
