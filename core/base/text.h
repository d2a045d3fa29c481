// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gks {

std::string_view trimmed(std::string_view text);
// Keeps empty parts: "a,,b" has three.
std::vector<std::string> split(std::string_view text, char separator);
// Lines without their terminators (\n or \r\n); a final newline adds no empty line.
std::vector<std::string_view> lines(std::string_view text);
// Runs of letters, digits and underscores; bytes beyond ASCII count as letters.
std::vector<std::string_view> words(std::string_view text);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string lowered(std::string_view text);
std::string replaceAll(std::string text, std::string_view from, std::string_view to);
// At most `limitBytes`: keeps the beginning and the end and says in the middle how much was left out. Never cuts a
// UTF-8 character.
std::string abbreviated(std::string_view text, std::size_t limitBytes);
// Valid UTF-8: every malformed byte becomes U+FFFD. For everything that a child process or a model printed.
std::string sanitizedUtf8(std::string_view bytes);
std::string hexText(std::span<const std::uint8_t> bytes); // lower case, two digits a byte

} // namespace gks
