// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/runner/runner_program.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

// kernel-scientist-runner DRIVER DEVICE [ANCHOR]
// kernel-scientist-runner --list-devices DRIVER
int main(int argc, char** argv) {
    const bool listsDevices = argc == 3 && std::string_view(argv[1]) == "--list-devices";
    if (argc != 3 && argc != 4) {
        std::fputs("usage: kernel-scientist-runner DRIVER-LIBRARY DEVICE [ANCHOR-LIBRARY]\n"
                   "       kernel-scientist-runner --list-devices DRIVER-LIBRARY\n",
                   stderr);
        return 2;
    }
    if (listsDevices) {
        return gks::runner::listDevices(argv[2]);
    }
    return gks::runner::run(argv[1], std::atoi(argv[2]), argc == 4 ? argv[3] : "");
}
