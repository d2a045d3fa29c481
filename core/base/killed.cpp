// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/killed.h"

#include "core/base/process.h"
#include "core/base/text.h"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>

namespace gks {

Error killedError(std::string_view who, std::string where, std::string next) {
    return {ErrorKind::infrastructure, fmt::format("{} {}", who, killedFromOutside), std::move(where), std::move(next)};
}

bool tellsOfKill(const Error& error) {
    // Whoever quotes says first whom: "ld.lld: error: ...".
    const auto isWord = [](char letter) { return letter == ' ' || (letter >= 'a' && letter <= 'z'); };
    return error.kind == ErrorKind::infrastructure && error.what.ends_with(killedFromOutside) &&
           std::all_of(error.what.begin(), error.what.end() - static_cast<std::ptrdiff_t>(killedFromOutside.size()),
                       isWord);
}

bool wasKilled(const CompletedProcess& run) {
    constexpr int usualStatus = 128 + SIGKILL;
    constexpr int childSignalled =
        254; // of clang's driver; nvcc ends with the signal's number, and with 1 or 2 for an error
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
           (run.exit.status == SIGKILL && says("nvcc error", "died due to signal 9"));
}

} // namespace gks
