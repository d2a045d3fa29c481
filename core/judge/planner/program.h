// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gks::planner {

// The whole of kernel-scientist-planner: loads the capture library and a candidate's host module, and answers until the
// channel ends.
int run(const char* captureLibrary, const char* module);

} // namespace gks::planner
