// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/one_line.h"

#include "core/base/text.h"

#include <algorithm>

namespace gks {

std::string withoutControls(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
    return text;
}

std::string_view beginningOf(std::string_view text, std::size_t limitBytes) {
    if (text.size() <= limitBytes) {
        return text;
    }
    while (limitBytes > 0 && (static_cast<unsigned char>(text[limitBytes]) & 0xc0U) == 0x80U) {
        --limitBytes;
    }
    return text.substr(0, limitBytes);
}

std::string shortened(std::string_view text, std::size_t limitBytes) {
    constexpr std::string_view ellipsis = "\xe2\x80\xa6";
    if (text.size() <= limitBytes) {
        return std::string(text);
    }
    return std::string(trimmed(beginningOf(text, limitBytes - std::min(limitBytes, ellipsis.size())))) +
           std::string(ellipsis);
}

} // namespace gks
