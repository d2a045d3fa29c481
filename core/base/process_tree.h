// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

// Processes as /proc tells of them. What has ended meanwhile is left out.
namespace gks {

// A process, what it started and what that started: their numbers; at most 64.
std::vector<std::string> processTree(int pid);
// Folders of the threads of a process.
std::vector<std::string> threadsOf(const std::string& process);
// The words of a line there.
std::vector<std::string_view> wordsOf(std::string_view text);

} // namespace gks
