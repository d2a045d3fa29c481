// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/planner/capture/cuda/cuda_types.h"
#include "core/judge/planner/capture/recorder.h"

namespace gks::capture {

int attributeOf(const Call& call, int attribute); // of the device; 0 when it has not said it
// Of a launch, without an attribute that allows more and with it.
std::uint32_t mostDynamicBytes(const Call& call, const RegisteredKernel& kernel);
cuda::CudaError checkCluster(const RegisteredKernel& kernel, const cuda::Dim3& grid, const Extent& cluster);

} // namespace gks::capture
