// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/hip_types.h"
#include "core/hipcpu/runtime/replay.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gks::test {

// Loads a host module into this process, whose HIP is a handful of functions that write down what solve() asks for, and
// calls it with these bytes of struct Problem. A test that uses it exports its symbols (ENABLE_EXPORTS) and is not
// linked to libhipcpu. Sizes of arguments come from the build's facts. An empty text, or what went wrong.
std::string recordSolve(const std::filesystem::path& hostModule, const std::filesystem::path& facts,
                        const std::vector<std::byte>& problem, void* workspace, hipcpu::Replay& into);

} // namespace gks::test
