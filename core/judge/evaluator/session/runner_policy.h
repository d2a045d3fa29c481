// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/session/runner_session.h"

#include <filesystem>

namespace gks {

// What the side of the wall of a GPU's runner may see and use: the driver's library, the card and what the driver
// reads, within limits. It may write to `temporary`.
SandboxPolicy runnerPolicy(const RunnerSession::Setup& setup, const std::filesystem::path& temporary);

// The limits of whoever runs device code of the cpu target; of addresses as for the largest cooperative launch.
ProcessLimits cpuRunnerLimits(std::size_t tensorBytes);
// Addresses that one plan may use, a cooperative launch of which has so many blocks at most.
std::size_t cpuRunnerAddressBytes(std::size_t tensorBytes, std::uint64_t residentBlocks);

// Worker threads that a kernel gets on the cpu target; the race check with reversed order gets all cores.
int timedThreadsOnCpu();

} // namespace gks
