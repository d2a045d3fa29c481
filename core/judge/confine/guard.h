// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace gks {

// Runs `become`, which turns its process into the program (or returns a status when it cannot), as a child of this
// process, and ends as the program ends: with its status, or by the same signal. When the thread that started this
// process ends, so does the whole process group.
int guarded(const std::function<int()>& become);

} // namespace gks
