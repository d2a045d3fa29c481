// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/planner/capture/recorder.h"

namespace gks::capture {

// Nullptr for a kernel that is unknown is answered as the device does.
hipcpu::HipError launch(const Call& call, const RegisteredKernel* kernel, hipcpu::Dim3 grid, hipcpu::Dim3 block,
                        void** arguments, std::size_t dynamicLdsBytes, hipcpu::HipStream handle,
                        LaunchAttributes attributes = {});

hipcpu::HipError launchCooperative(const Call& call, const RegisteredKernel* kernel, hipcpu::Dim3 grid,
                                   hipcpu::Dim3 block, void** arguments, std::size_t dynamicLdsBytes,
                                   hipcpu::HipStream stream);

hipcpu::HipError blocksPerMultiprocessor(const Call& call, int* blocks, const RegisteredKernel* kernel, int blockSize,
                                         std::size_t dynamicLdsBytes);

// Where <<<>>> stands, for the one launch that comes next: what launches then is a function that the compiler has made
// for the kernel. Without it `itsOwn`.
void setLaunchPlace(void* place);
void* takeLaunchPlace(void* itsOwn);

} // namespace gks::capture
