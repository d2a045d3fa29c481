// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// A command line that a person wrote for a program to run, read without a shell.
namespace gks {

inline constexpr std::size_t commandLineLimitBytes = 4096;

// The words: blanks part them; '...' is taken as it stands; in "..." and outside a backslash takes the next character
// as it is. What only a shell understands (pipes, variables, ~) is refused rather than passed on, unless it is in '...'
// or behind a backslash.
Result<std::vector<std::string>> commandWords(std::string_view line);

// Full path of the program that the words begin with. A name is looked for in PATH; a path must be a full one, since
// nobody knows later in which folder it was written.
Result<std::filesystem::path> commandProgram(const std::vector<std::string>& words);

} // namespace gks
