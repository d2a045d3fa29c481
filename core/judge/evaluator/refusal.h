// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/judge/verdict.h"

#include <string>

namespace gks {

// What to do where others had the processors.
inline constexpr const char* starvedNext = "Evaluate again on a quieter machine";

// Why an evaluation ends before its comparison: the verdict's kind and sentence.
struct Refusal {
    VerdictKind kind = VerdictKind::infrastructureFailed;
    std::string reason;
    std::string next = {};
    DeviceTrouble device = DeviceTrouble::none;
    bool isKilled = false;  // by a SIGKILL that the judge did not send
    bool isStarved = false; // others had the processors for too long
    VerdictKind ifAtFault =
        VerdictKind::infrastructureFailed; // when killed: the kind, should the kernel have caused it

    bool mayGoWell() const { return isKilled || isStarved; } // the same evaluation, done again
};
template<class T>
using Judged = tl::expected<T, Refusal>;

inline tl::unexpected<Refusal> refuse(VerdictKind kind, std::string reason, std::string next = {}) {
    return tl::unexpected(Refusal{kind, std::move(reason), std::move(next)});
}
tl::unexpected<Refusal> refuse(const Error& error);

} // namespace gks
