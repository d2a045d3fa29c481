// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>

namespace gks {

// Whether two clocks agree on the calls of one kernel: the runner's (cpu target: the keeper's, who starts and stops the
// kernel's process; GPU: the device's events) and the judge's, which is read before the command and after the answer.
// `gapUs` is the latter less the former, of each call. `honestUs`: what the way to the runner and back takes at most on
// this machine, where that is known; a flush of the caches is part of it. A sentence when they do not.
std::optional<std::string> clockDisagreement(std::span<const double> gapUs, std::optional<double> honestUs);

// What the way took in the calls of another kernel: more in one of four.
double longWayUs(std::span<const double> gapUs);

} // namespace gks
