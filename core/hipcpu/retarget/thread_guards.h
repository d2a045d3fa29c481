// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/retarget/thread_growth.h"

#include <optional>

namespace gks::hipcpu {

// Most kernels end in "if (i < n)", and nearly all blocks have no thread beyond n. Where a region begins with such
// comparisons its loops are there twice from now on: one for blocks all of whose threads pass them, in which nothing is
// compared any more. That one's counters come back.
std::optional<ThreadLoops> loopsWithoutGuards(const ThreadLoops& loops, const BlockSize& size);

} // namespace gks::hipcpu
