// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gks::frozen {

// From here on every thread of this process may compute, wait for its neighbours, take memory that is not executable,
// read and write the descriptors that it has, and end. Anything else kills the process by SIGSYS: no new thread or
// process, no file, no signal to anybody, no code that was not there. 0 or an errno.
int allowOnlyWork();

} // namespace gks::frozen
