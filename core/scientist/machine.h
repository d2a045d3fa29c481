// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scientist/scientist.h"

#include <string>
#include <vector>

// What kernels run on, as prompts and the Knowledge page speak of it: one description for the scientist, for the
// preview of an edited prompt and for the page.
namespace gks {

struct Machine {
    TargetKind target = TargetKind::cpu;
    Device device;                      // without a name and an architecture while none is known
    std::vector<std::string> knowledge; // files of prompts/knowledge that speak of it
    std::string note;                   // where they speak of a relative only: a sentence that says so
    bool ofHarness = false;             // which builds and runs kernels in its own way
};
// A device of an architecture that nothing is written down of gets its nearest relative's file.
Machine machineOf(TargetKind target, const Device& device);
Machine machineOf(const Briefing& briefing);

// What Briefing::device is made of. The device that the newest kernels were judged on, wherever that was; before there
// is a verdict, the one that is found here. `newestVerdict` may be null.
std::function<Device()> deviceFinder(PopulationPtr population,
                                     std::function<std::optional<Verdict>(KernelId)> newestVerdict);

// "AMD Instinct MI300X, an AMD GPU, gfx942: 304 compute units, waves of 64 lanes, up to 2100 MHz, 64.0 KiB of LDS for a
// block, 192 GiB of memory."
std::string machineText(const Machine& machine);

} // namespace gks
