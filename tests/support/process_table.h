// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gks::test {

struct Process {
    int pid = 0;
    int parent = 0;
    std::string commandLine; // arguments apart by spaces; empty for a process that has ended and waits to be reaped
};

// All that this user may look at.
std::vector<Process> processes();
// Those with `mark` in their command line, without this one.
std::vector<Process> processesWith(std::string_view mark);
// Descendants of `ancestor` whose program's name ends with `program`.
std::vector<int> descendants(int ancestor, std::string_view program);
// It has ended, whether or not somebody has waited for it.
bool isGone(int pid);
// It stands still because of a signal.
bool isStopped(int pid);

} // namespace gks::test
