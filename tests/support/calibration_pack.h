// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>

// A problem whose kernel does an exactly known amount of work: `iterations` dependent multiply-adds for each element.
// About 64 us on a large GPU, about 1 ms on two cores of the cpu target. It is part of the program, so that the program
// can be copied to another machine and needs nothing beside it but the evaluator.
namespace gks::calibration {

// Writes the pack into an empty folder. On the cpu target 4096 elements are computed.
Result<void> writePack(const std::filesystem::path& folder, int iterationsOnCpu = 400);

// The pack's kernel. With `extraPercent` every thread does that much more of the same arithmetic, on a second value
// whose result is needed, so that no compiler leaves it out. `remark` makes the source another one for the build cache.
std::string kernelSource(double extraPercent, const std::string& remark = {});

} // namespace gks::calibration
