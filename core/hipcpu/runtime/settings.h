// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/block_executor.h"

#include <cstdint>

namespace gks::hipcpu {

// Read from the environment once, when they are first asked for, unless use() was there before: device code that is
// judged has no environment that would tell it how it is run.
struct Settings {
    unsigned workers;  // HIPCPU_THREADS, otherwise the processors that this process may use
    ThreadOrder order; // HIPCPU_ORDER=reversed: blocks and the threads of a block run backwards (race check)
    bool poisonLds;    // HIPCPU_POISON_LDS=1: LDS holds a pattern when a block begins
    bool checkReads;   // HIPCPU_CHECK_READS=1: reads past the end of a buffer are named
    std::uint64_t longestBlockSeconds =
        60; // HIPCPU_BLOCK_SECONDS: a block that takes longer has no end; of checked code

    static void use(const Settings& settings);
    static const Settings& instance();
};

} // namespace gks::hipcpu
