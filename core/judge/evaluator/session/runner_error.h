// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/judge/evaluator/refusal.h"

#include <string>

namespace gks {

// Why a command to the runner did not end well. What the candidate may have caused is never `infrastructure`.
enum class RunnerTrouble {
    loadFailed, // the device code, or what a plan names of it
    crashed,
    timedOut,
    starved,      // not the kernel but others used up the time; see CallLimit
    kernelError,  // the device refused an operation of the plan
    tampered,     // something that the runner never says arrived on its pipe
    killed,       // SIGKILL that the judge did not send and the candidate cannot send: somebody else, or no memory
    killedBefore, // the same, before the candidate was loaded, as are the next three
    infrastructure,
    deviceHung, // no answer to an empty call
    deviceLost, // the device's library fails
    cancelled,
};
struct RunnerError {
    RunnerTrouble trouble = RunnerTrouble::infrastructure;
    std::string what;
};
template<class T>
using RunnerResult = tl::expected<T, RunnerError>;

// `doing` says what the runner was asked for: "m=64 n=128, test".
tl::unexpected<Refusal> refuse(const RunnerError& error, const std::string& doing);

} // namespace gks
