// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/refusal.h"

#include "core/base/killed.h"

#include <fmt/format.h>

namespace gks {

tl::unexpected<Refusal> refuse(const Error& error) {
    if (error.kind == ErrorKind::cancelled) {
        return refuse(VerdictKind::infrastructureFailed, cancelledReason);
    }
    const std::string what = error.where.empty() ? error.what : fmt::format("{}: {}", error.where, error.what);
    auto refusal =
        refuse(error.kind == ErrorKind::kernel ? VerdictKind::buildFailed : VerdictKind::infrastructureFailed, what,
               error.next);
    refusal.value().isKilled = tellsOfKill(error);
    return refusal;
}

} // namespace gks
