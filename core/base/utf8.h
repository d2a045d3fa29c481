// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace gks {

// Length of the well-formed UTF-8 sequence that starts at `at`, 0 when there is none (RFC 3629, table of section 4).
inline std::size_t sequenceLength(std::string_view bytes, std::size_t at) {
    const auto byte = [&](std::size_t i) {
        return at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U;
    };
    const auto tail = [&](std::size_t i) { return (byte(i) & 0xc0U) == 0x80U; };
    const unsigned lead = byte(0);
    if (lead < 0x80U) {
        return 1;
    }
    if (lead >= 0xc2U && lead <= 0xdfU) {
        return tail(1) ? 2 : 0;
    }
    if (lead >= 0xe0U && lead <= 0xefU) {
        const unsigned low = lead == 0xe0U ? 0xa0U : 0x80U;
        const unsigned high = lead == 0xedU ? 0x9fU : 0xbfU;
        return byte(1) >= low && byte(1) <= high && tail(2) ? 3 : 0;
    }
    if (lead >= 0xf0U && lead <= 0xf4U) {
        const unsigned low = lead == 0xf0U ? 0x90U : 0x80U;
        const unsigned high = lead == 0xf4U ? 0x8fU : 0xbfU;
        return byte(1) >= low && byte(1) <= high && tail(2) && tail(3) ? 4 : 0;
    }
    return 0;
}

// The character that a well-formed sequence stands for.
inline unsigned codePoint(std::string_view sequence) {
    const auto lead = static_cast<unsigned char>(sequence.front());
    unsigned code = sequence.size() == 1 ? lead : lead & (0x7fU >> sequence.size());
    for (const char c : sequence.substr(1)) {
        code = (code << 6U) | (static_cast<unsigned char>(c) & 0x3fU);
    }
    return code;
}

} // namespace gks
