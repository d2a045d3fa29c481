// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/runner_session.h"

#include <filesystem>

namespace gks {

// What the runner's side of the wall may see and use: the runtime library, its module, the card and what the vendor's
// runtime reads, within limits. A card's runtime may write to `temporary`; a kernel on the cpu target writes no file.
SandboxPolicy runnerPolicy(const RunnerSession::Setup& setup, const std::filesystem::path& moduleFolder,
                           const std::filesystem::path& temporary);

// Worker threads that a kernel gets on the cpu target; the race check with reversed order gets all cores.
int timedThreadsOnCpu();

} // namespace gks
