// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/confine/sandbox.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

// What it takes to start a program behind each wall, and to see it end: the smallest and the median of many.
using namespace gks;

int main() {
    constexpr int starts = 200;
    std::printf("%-12s %10s %10s\n", "level", "least ms", "median ms");
    for (const SandboxLevel level : {SandboxLevel::none, SandboxLevel::landlock, SandboxLevel::bubblewrap}) {
        SandboxPolicy policy;
        policy.allowNone = true;
        Command command;
        command.arguments = {"/usr/bin/true"};
        const auto wall = sandboxed(command, policy, level);
        std::vector<double> milliseconds;
        for (int i = 0; wall && i < starts; ++i) {
            const auto begin = std::chrono::steady_clock::now();
            const auto done = runProcess(*wall);
            if (done && done->ok()) {
                milliseconds.push_back(
                    std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
            }
        }
        const std::string text(name(level));
        if (milliseconds.empty()) {
            std::printf("%-12s does not work here: %s\n", text.c_str(), whyLevelFails(level).c_str());
            continue;
        }
        std::sort(milliseconds.begin(), milliseconds.end());
        std::printf("%-12s %10.2f %10.2f\n", text.c_str(), milliseconds.front(), milliseconds[milliseconds.size() / 2]);
    }
}
