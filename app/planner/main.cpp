// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/planner/program.h"

#include <cstdio>

// kernel-scientist-planner CAPTURE-LIBRARY HOST-MODULE
int main(int argc, char** argv) {
    if (argc != 3) {
        std::fputs("usage: kernel-scientist-planner CAPTURE-LIBRARY HOST-MODULE\n", stderr);
        return 2;
    }
    return gks::planner::run(argv[1], argv[2]);
}
