// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/trial/case_data.h"
#include "core/judge/plan/launch_plan.h"
#include "core/judge/runner/frozen/protocol.h"

#include <cstdint>
#include <vector>

namespace gks {

// Where the tensors of one shape lie for a process with device code of the cpu target: the same for verification,
// warm-up and timing. Each lies in pages of its own, between guard bands of runner::guardBytes, and what comes behind
// the last byte of its band, at the next multiple of 256, is the end of its region.
struct FrozenLayout {
    std::vector<frozen::Region> regions; // of the tensors in order, then of the workspace if there is one
    SetAddresses addresses;
    std::vector<std::uint64_t> bandOffsets; // of the band before the data of each region, in its segment
    std::uint64_t inputBytes = 0;           // of the segments
    std::uint64_t outputBytes = 0;
};

FrozenLayout frozenLayoutOf(const ProblemPack& pack, const CaseLayout& layout, std::uint64_t workspaceBytes);

} // namespace gks
