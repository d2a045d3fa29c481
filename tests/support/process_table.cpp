// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/process_table.h"

#include "core/base/files.h"
#include "core/base/text.h"

#include <algorithm>
#include <unistd.h>

namespace gks::test {

std::vector<Process> processes() {
    std::vector<Process> found;
    std::error_code ignored;
    for (std::filesystem::directory_iterator at("/proc", ignored), end; !ignored && at != end; at.increment(ignored)) {
        const std::string name = at->path().filename();
        if (!std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; })) {
            continue;
        }
        const auto stat = readFile(at->path() / "stat");
        auto command = readFile(at->path() / "cmdline");
        const std::size_t nameEnd = stat ? stat->rfind(')') : std::string::npos; // the name before it may hold anything
        if (!command || nameEnd == std::string::npos) {
            continue;
        }
        const auto fields = split(trimmed(std::string_view(*stat).substr(nameEnd + 1)), ' ');
        std::replace(command->begin(), command->end(), '\0', ' ');
        found.push_back({std::stoi(name), std::stoi(std::string(fields.at(1))), std::string(trimmed(*command))});
    }
    return found;
}

std::vector<int> descendants(int ancestor, std::string_view program) {
    const std::vector<Process> all = processes();
    const auto descends = [&](int pid) {
        for (int hops = 0; hops < 32 && pid > 1; ++hops) {
            if (pid == ancestor) {
                return true;
            }
            const auto at = std::find_if(all.begin(), all.end(), [&](const Process& one) { return one.pid == pid; });
            pid = at == all.end() ? 0 : at->parent;
        }
        return false;
    };
    std::vector<int> found;
    for (const Process& process : all) {
        const std::string running = process.commandLine.substr(0, process.commandLine.find(' '));
        if (running.ends_with(program) && process.pid != ancestor && descends(process.pid)) {
            found.push_back(process.pid);
        }
    }
    return found;
}

bool isGone(int pid) {
    const auto stat = readFile("/proc/" + std::to_string(pid) + "/stat");
    return !stat || stat->find(") Z") != std::string::npos;
}

bool isStopped(int pid) {
    const auto stat = readFile("/proc/" + std::to_string(pid) + "/stat");
    return stat && stat->find(") T") != std::string::npos;
}

std::vector<Process> processesWith(std::string_view mark) {
    std::vector<Process> found = processes();
    std::erase_if(found, [&](const Process& process) {
        return process.pid == ::getpid() || process.commandLine.find(mark) == std::string::npos;
    });
    return found;
}

} // namespace gks::test
