// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"

#include "core/base/utf8.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace gks {
namespace {

bool isSpace(char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}
bool isContinuation(char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U;
}

} // namespace

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && isSpace(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && isSpace(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

std::vector<std::string_view> words(std::string_view text) {
    const auto isPart = [&](std::size_t i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        return std::isalnum(byte) != 0 || byte == '_' || byte >= 0x80;
    };
    std::vector<std::string_view> found;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && isPart(end)) {
            ++end;
        }
        if (end > at) {
            found.push_back(text.substr(at, end - at));
        }
        at = end + 1;
    }
    return found;
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    std::size_t from = 0;
    for (std::size_t at = text.find(separator); at != std::string_view::npos; at = text.find(separator, from)) {
        parts.emplace_back(text.substr(from, at - from));
        from = at + 1;
    }
    parts.emplace_back(text.substr(from));
    return parts;
}

std::vector<std::string_view> lines(std::string_view text) {
    std::vector<std::string_view> result;
    while (!text.empty()) {
        const std::size_t at = text.find('\n');
        std::string_view line = text.substr(0, at);
        text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
        if (!line.empty() && line.back() == '\r') {
            line.remove_suffix(1);
        }
        result.push_back(line);
    }
    return result;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
    std::string result;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0) {
            result += separator;
        }
        result += parts[i];
    }
    return result;
}

std::string lowered(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

std::string replaceAll(std::string text, std::string_view from, std::string_view to) {
    if (from.empty()) {
        return text;
    }
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    return text;
}

std::string abbreviated(std::string_view text, std::size_t limitBytes) {
    if (text.size() <= limitBytes) {
        return std::string(text);
    }
    std::size_t head = limitBytes * 2 / 3;
    std::size_t tail = text.size() - (limitBytes - head);
    while (head > 0 && isContinuation(text[head])) {
        --head;
    }
    while (tail < text.size() && isContinuation(text[tail])) {
        ++tail;
    }
    return fmt::format("{}\n[... {} bytes left out ...]\n{}", text.substr(0, head), tail - head, text.substr(tail));
}

std::string sanitizedUtf8(std::string_view bytes) {
    std::string result;
    result.reserve(bytes.size());
    for (std::size_t at = 0; at < bytes.size();) {
        if (const std::size_t length = sequenceLength(bytes, at); length > 0) {
            result += bytes.substr(at, length);
            at += length;
        } else {
            result += "\xef\xbf\xbd";
            ++at;
        }
    }
    return result;
}

std::string hexText(std::span<const std::uint8_t> bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string hex;
    hex.reserve(2 * bytes.size());
    for (const std::uint8_t byte : bytes) {
        hex += digits[byte >> 4U];
        hex += digits[byte & 15U];
    }
    return hex;
}

} // namespace gks
