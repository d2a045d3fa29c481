// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/judge/verdict.h"
#include "core/target/target.h"

// What a verdict keeps of the device that it was reached on, so that a campaign whose kernels run elsewhere knows it
// too.
namespace gks {

// Name, and in the environment the architecture and what the device says of itself.
void recordDevice(const Device& device, Verdict& verdict);
// The same back, with the peaks of its architecture; without a name when the verdict was reached on no device. What is
// no sensible number counts as not told.
Device recordedDevice(const Verdict& verdict);

} // namespace gks
