// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/read_notes.h"
#include "core/judge/plan/launch_plan.h"
#include "core/judge/runner/frozen/protocol.h"

#include <span>
#include <string>
#include <vector>

namespace gks {

// A kernel has read past the end of a tensor: "read 4 bytes past the end of x (400 bytes); kernel affine block
// (0,0,0)".
struct PastRead {
    std::string tensor;
    std::string text;
};

// In the judge's own words: the notes are numbers of a process that is device code's, so each is looked up among these
// regions and this plan's kernels. What lies nowhere is left out.
std::vector<PastRead> pastReads(std::span<const hipcpu::ReadNote> notes, std::span<const frozen::Region> regions,
                                const LaunchPlan& plan);

} // namespace gks
