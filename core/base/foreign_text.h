// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Text that others say and the program only shows: compilers, device code, host code, whatever runs behind the wall.
// A source decides what they say (`#error`, `#line`, printf), so whoever reads it must see at every line whose it is.
namespace gks {

inline constexpr std::size_t quotationLimitBytes = 300;
inline constexpr const char* compilerSpeaker = "compiler";

// Short, on one line, between quotation marks: nothing in it ends the quotation, begins a line or reaches a terminal.
std::string quotation(std::string_view text, std::size_t limitBytes = quotationLimitBytes);
// Every line behind "SPEAKER: ". Of the text at most `limitBytes`; control characters become visible.
std::string attributed(std::string_view text, std::string_view speaker, std::size_t limitBytes);

} // namespace gks
