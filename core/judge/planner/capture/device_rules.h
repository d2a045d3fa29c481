// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/planner/capture/recorder.h"

// What the device of a library's target takes and how much of it fits: host code that tries a launch and falls back
// must take the branch that it would take before a device. Each library has its own.
namespace gks::capture {

hipcpu::HipError checkLaunch(const Call& call, const RegisteredKernel& kernel, hipcpu::Dim3 grid, hipcpu::Dim3 block,
                             std::size_t dynamicLdsBytes, const LaunchAttributes& attributes);
int activeBlocks(const Call& call, const RegisteredKernel& kernel, int blockSize, std::size_t dynamicLdsBytes);
hipcpu::HipError setFunctionAttribute(const Call& call, RegisteredKernel& kernel, int attribute, int value);

} // namespace gks::capture
