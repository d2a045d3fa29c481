// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/target/target.h"

namespace gks {

// Of a thread of this machine, `threads` left out: measured once for each process, in a few hundredths of a second.
ThreadFacts threadFactsHere();
// What a record does not hold of the processor is measured where it is the one that this program runs on.
Device withThreadFacts(Device device);

} // namespace gks
