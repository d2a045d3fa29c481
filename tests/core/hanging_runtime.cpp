// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

// A device library that never comes back, like a driver whose device hangs.
__attribute__((constructor)) static void hang() {
    for (;;) {
        ::pause();
    }
}
