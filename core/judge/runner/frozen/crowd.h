// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hipcpu/runtime/device_module.h"
#include "core/judge/plan/launch_plan.h"

#include <cstdint>

namespace gks::frozen {

// Launches that get a thread for each block.
struct Crowd {
    bool isAny = false;
    std::uint64_t cooperativeBytes = 0; // of addresses
    std::uint64_t waitingBlocks = 0;
    std::uint64_t waitingBytes = 0; // of addresses, of each
};

Crowd crowdOf(const LaunchPlan& plan, hipcpu::LoadedDeviceModule& module);

// The keeper may use far more addresses; device code what a plan needs, of that which is for a crowd no more than half
// of the machine has. Returns how many blocks that wait get a thread.
std::uint64_t limitAddresses(std::uint64_t bytes, const Crowd& crowd);

// A call with a crowd still gets the processors of one without.
void keepToProcessors(unsigned processors);

} // namespace gks::frozen
