// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

// Which C++ a kernel is written in: what its options say, else what its problem says, else the one here.
namespace gks {

// "-std=c++20", which nvcc knows from CUDA 12 on.
inline constexpr const char* usualLanguageOption = "-std=c++20";
std::string usualLanguageOfCuda(std::string_view version);

// The options of a kernel, with its problem's language before them where they name none.
std::vector<std::string> withProblemsLanguage(const std::string& language, std::vector<std::string> options);
bool namesLanguage(const std::vector<std::string>& options);

} // namespace gks
