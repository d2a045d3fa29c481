// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scientist/scientist.h"

#include <string>

// What the build for the measured device says of a kernel: registers and instructions of AMD's code object, what ptxas
// says on NVIDIA. On the cpu target nothing: the gfx942 code object beside it is of another machine.
namespace gks {

// The report of an AMD target's own device code; nothing on other targets.
std::optional<StaticReport> measuredReport(const Briefing& briefing, KernelId kernel);

// One line for each __global__ function; empty when nothing is known.
std::string buildFactsText(const Briefing& briefing, KernelId kernel);

// What the hardware counters said of it, a line for each launch of a shape; empty when nobody counted.
std::string counterFactsText(const Briefing& briefing, KernelId kernel);

// Both, as far as there are any.
std::string deviceFactsText(const Briefing& briefing, KernelId kernel);

// "VGPR 64 (+12), LDS 16384 B, 4 waves per SIMD (-2), spills 3": what a kernel needs, and how that differs from its
// parent's, of which nothing may be known.
std::string resourcesText(const StaticReport& report, const StaticReport* parent);
// The same of a kernel of the population, on NVIDIA "64 registers, 16384 B shared, spills 8 B"; empty when nothing is
// known.
std::string resourcesOf(const Briefing& briefing, const Kernel& kernel);

} // namespace gks
