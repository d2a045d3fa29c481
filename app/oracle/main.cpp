// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/oracle/program.h"

#include <cstdio>

// kernel-scientist-oracle REFERENCE-LIBRARY
int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: kernel-scientist-oracle REFERENCE-LIBRARY\n", stderr);
        return 2;
    }
    return gks::oracle::run(argv[1]);
}
