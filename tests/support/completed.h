// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/process.h"

#include <QtGlobal>
#include <chrono>

namespace gks::test {

// Runs a program to its end, whatever that is; where nothing can be run the test ends.
inline CompletedProcess completed(const Command& command,
                                  const RunOptions& options = {.timeout = std::chrono::minutes(5)}) {
    const auto done = runProcess(command, options);
    if (!done) {
        qFatal("%s", done.error().message().c_str());
    }
    return *done;
}

} // namespace gks::test
