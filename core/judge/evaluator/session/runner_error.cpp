// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/session/runner_error.h"

#include <fmt/format.h>
#include <utility>

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
    case RunnerTrouble::starved:
    case RunnerTrouble::killed:
    case RunnerTrouble::killedBefore:
    case RunnerTrouble::infrastructure:
    case RunnerTrouble::deviceHung:
    case RunnerTrouble::deviceLost:
    case RunnerTrouble::cancelled:
        break;
    }
    return VerdictKind::infrastructureFailed;
}

} // namespace

tl::unexpected<Refusal> refuse(const RunnerError& error, const std::string& doing) {
    const bool plain = doing.empty() || error.trouble == RunnerTrouble::cancelled;
    Refusal refusal = {kindOf(error.trouble), plain ? error.what : fmt::format("{}: {}", doing, error.what)};
    refusal.isKilled = error.trouble == RunnerTrouble::killed || error.trouble == RunnerTrouble::killedBefore;
    refusal.ifAtFault = error.trouble == RunnerTrouble::killed ? VerdictKind::crashed : refusal.kind;
    if (error.trouble == RunnerTrouble::starved) {
        refusal.isStarved = true;
        refusal.next = starvedNext;
    } else if (error.trouble == RunnerTrouble::deviceHung) {
        refusal.device = DeviceTrouble::hung;
        refusal.next = "Reset the device or restart the machine; kernel-scientist-cli doctor shows whether it answers";
    } else if (error.trouble == RunnerTrouble::deviceLost) {
        refusal.device = DeviceTrouble::lost;
        refusal.next = "Run kernel-scientist-cli doctor";
    }
    return tl::unexpected(std::move(refusal));
}

} // namespace gks
