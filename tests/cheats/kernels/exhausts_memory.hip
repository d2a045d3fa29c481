// SPDX-License-Identifier: GPL-3.0-or-later
// Row 20: allocates without end
// Caught: crashed: bad_alloc
#include "problem.h"


extern "C" hipError_t solve(const Problem& p, void* workspace, hipStream_t stream) {
    (void)workspace;
    for (;;) {
        volatile char* taken = new char[size_t(1) << 28];
        taken[0] = 1;
    }
    return hipGetLastError();
}
