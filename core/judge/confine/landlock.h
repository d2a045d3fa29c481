// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace gks {

struct LandlockRules {
    std::vector<std::string> readable; // files and folders; also executable
    std::vector<std::string> writable;
    std::vector<std::string> devices;
};

// Restricts this process and all its children for ever. 0 or an errno: ENOSYS and EOPNOTSUPP when the kernel has no
// Landlock.
int applyLandlock(const LandlockRules& rules);

} // namespace gks
