// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>

namespace gks {

// Whether two clocks agree on the calls of one kernel: the keeper's, who starts and stops the kernel's process, and the
// judge's, which is read before the command to the keeper and after its answer. `gapUs` is the latter less the former,
// of each call; `emptyWayUs` what that is for calls in which nothing runs. A sentence when they do not.
std::optional<std::string> clockDisagreement(std::span<const double> gapUs, double emptyWayUs);

} // namespace gks
