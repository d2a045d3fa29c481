// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/runner/runner_program.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

// kernel-scientist-runner DRIVER DEVICE
// kernel-scientist-runner --list-devices DRIVER
int main(int argc, char** argv) {
    if (argc != 3) {
        std::fputs("usage: kernel-scientist-runner DRIVER-LIBRARY DEVICE\n"
                   "       kernel-scientist-runner --list-devices DRIVER-LIBRARY\n",
                   stderr);
        return 2;
    }
    if (std::string_view(argv[1]) == "--list-devices") {
        return gks::runner::listDevices(argv[2]);
    }
    return gks::runner::run(argv[1], std::atoi(argv[2]));
}
