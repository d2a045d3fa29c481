// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/session/runner_session.h"

#include <filesystem>

namespace gks {

// What the side of the wall of a GPU's runner may see and use: the driver's library, the card and what the driver
// reads, within limits. It may write to `temporary`.
SandboxPolicy runnerPolicy(const RunnerSession::Setup& setup, const std::filesystem::path& temporary);

// The limits of the keeper of device code of the cpu target, of whose addresses device code gets cpuAddressBytes() and
// what a plan has besides whose blocks get a thread each (see device_process.cpp).
ProcessLimits cpuKeeperLimits(std::size_t tensorBytes);
std::size_t cpuAddressBytes(std::size_t tensorBytes);

// Worker threads that a kernel gets on the cpu target; the race check with reversed order gets all cores.
int timedThreadsOnCpu();

} // namespace gks
