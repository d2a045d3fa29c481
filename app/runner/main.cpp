// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/runner/runner_program.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

// kernel-scientist-runner RUNTIME-LIBRARY CANDIDATE DEVICE
// kernel-scientist-runner --list-devices RUNTIME-LIBRARY
int main(int argc, char** argv) {
    if (argc == 3 && std::string_view(argv[1]) == "--list-devices") {
        return gks::runner::listDevices(argv[2]);
    }
    if (argc != 4) {
        std::fputs("usage: kernel-scientist-runner RUNTIME-LIBRARY CANDIDATE DEVICE\n"
                   "       kernel-scientist-runner --list-devices RUNTIME-LIBRARY\n",
                   stderr);
        return 2;
    }
    return gks::runner::run({argv[1], argv[2], std::atoi(argv[3])});
}
