// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/terminal_text.h"

#include "core/base/utf8.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

bool isControl(unsigned code) { // C0, DEL and C1
    return code < 0x20U || (code >= 0x7fU && code < 0xa0U);
}

// Embeddings, overrides and isolates (Unicode 15, UAX 9, section 2), ends of lines, and what has no width.
bool deceives(unsigned code) {
    return (code >= 0x202aU && code <= 0x202eU) || (code >= 0x2066U && code <= 0x2069U) || code == 0x2028U ||
           code == 0x2029U || code == 0x200bU || code == 0x2060U || code == 0xfeffU;
}

} // namespace

std::string terminalText(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = sequenceLength(text, at);
        const std::string_view piece = text.substr(at, std::max<std::size_t>(length, 1));
        at += piece.size();
        const unsigned code = length == 0 ? static_cast<unsigned char>(piece.front()) : codePoint(piece);
        if (piece == "\r" && text.substr(at).starts_with('\n')) {
            continue; // of a line's end
        }
        if (length == 0 || (isControl(code) && piece != "\n" && piece != "\t")) {
            result += fmt::format("\\x{:02x}", code);
        } else if (deceives(code)) {
            result += fmt::format("\\u{:04x}", code);
        } else {
            result += piece;
        }
    }
    return result;
}

std::string terminalLine(std::string_view text) {
    std::string line = terminalText(text);
    std::replace_if(line.begin(), line.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
    return line;
}

} // namespace gks
