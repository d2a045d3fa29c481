// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/evaluator/trial/case_data.h"
#include "core/judge/plan/launch_plan.h"

#include <cstdint>

namespace gks {

// Where the tensors of one shape and their workspace lie on a GPU: the same for verification, warm-up and timing, and
// in every process.
SetAddresses gpuAddressesOf(const ProblemPack& pack, const CaseLayout& layout, std::uint64_t workspaceBytes);

// Of all areas that host code may be told addresses of.
std::uint64_t gpuReservedBytes();

} // namespace gks
