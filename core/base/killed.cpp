// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/killed.h"

#include "core/base/process.h"
#include "core/base/result.h"
#include "core/base/text.h"

#include <algorithm>
#include <csignal>

namespace gks {

bool tellsOfKill(const Error& error) {
    // Either said so on purpose, or how a trial of the compiler or the sandbox ended, which runs nothing of a kernel.
    static const std::string ended = ExitState{.status = {}, .signal = SIGKILL}.text();
    return error.kind == ErrorKind::infrastructure &&
           (error.what.ends_with(killedFromOutside) || error.what.find(ended) != std::string::npos);
}

bool wasKilled(const CompletedProcess& run) {
    constexpr int usualStatus = 128 + SIGKILL;
    constexpr int childSignalled = 254; // of clang's driver
    const auto printed = lines(run.error);
    const auto says = [&](std::string_view start, std::string_view words) {
        return std::any_of(printed.begin(), printed.end(), [&](std::string_view line) {
            return line.starts_with(start) && line.find(words) != std::string_view::npos;
        });
    };
    if (run.timedOut || run.cancelled) {
        return false;
    }
    return run.exit.signal == SIGKILL || run.exit.status == usualStatus ||
           (run.exit.status == childSignalled && says("clang", "unable to execute command: Killed")) ||
           says("nvcc error", "died due to signal 9");
}

} // namespace gks
