// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/session/runner_session.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace gks {

// What the runner's side of the wall may see and use: the runtime library, its module, the card and what the vendor's
// runtime reads, within limits. A card's runtime may write to `temporary`; a kernel on the cpu target writes no file.
SandboxPolicy runnerPolicy(const RunnerSession::Setup& setup, const std::filesystem::path& moduleFolder,
                           const std::filesystem::path& temporary);

// The limits and settings of whoever runs device code of the cpu target.
ProcessLimits cpuRunnerLimits(std::size_t tensorBytes);
std::vector<std::pair<std::string, std::string>> cpuRunnerSettings(bool reversedOrder);

// Worker threads that a kernel gets on the cpu target; the race check with reversed order gets all cores.
int timedThreadsOnCpu();

} // namespace gks
