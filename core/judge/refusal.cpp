// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/refusal.h"

#include <fmt/format.h>

namespace gks {
namespace {

VerdictKind kindOf(RunnerTrouble trouble) {
    switch (trouble) {
    case RunnerTrouble::loadFailed:
        return VerdictKind::buildFailed;
    case RunnerTrouble::crashed:
        return VerdictKind::crashed;
    case RunnerTrouble::timedOut:
        return VerdictKind::timedOut;
    case RunnerTrouble::kernelError:
        return VerdictKind::wrong;
    case RunnerTrouble::tampered:
        return VerdictKind::cheatingSuspected;
    case RunnerTrouble::infrastructure:
    case RunnerTrouble::cancelled:
        break;
    }
    return VerdictKind::infrastructureFailed;
}

} // namespace

tl::unexpected<Refusal> refuse(const Error& error) {
    if (error.kind == ErrorKind::cancelled) {
        return refuse(VerdictKind::infrastructureFailed, "cancelled");
    }
    const std::string what = error.where.empty() ? error.what : fmt::format("{}: {}", error.where, error.what);
    return refuse(error.kind == ErrorKind::kernel ? VerdictKind::buildFailed : VerdictKind::infrastructureFailed, what,
                  error.next);
}

tl::unexpected<Refusal> refuse(const RunnerError& error, const std::string& doing) {
    const bool plain = doing.empty() || error.trouble == RunnerTrouble::cancelled;
    return refuse(kindOf(error.trouble), plain ? error.what : fmt::format("{}: {}", doing, error.what));
}

} // namespace gks
