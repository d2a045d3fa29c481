// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/planner/capture/recorder.h"

// Memory: the device's is given and cannot be had more of; the host's can.
namespace gks::capture {

[[noreturn]] void refuseAllocation(const Call& call);
[[noreturn]] void refuseSharing(const Call& call);
// Memory of the host that copies can start from.
hipcpu::HipError allocateOnHost(const Call& call, void** pointer, std::size_t sizeBytes);
hipcpu::HipError release(const Call& call, void* pointer);

} // namespace gks::capture
