// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <map>
#include <set>
#include <string>

namespace gks {

// Failures of the infrastructure in this run: whether lane or kernel is at fault. A device that hangs or is gone fails
// every kernel, so its lane ends at once; other failures are tried once more. One kernel that fails on several lanes is
// more likely at fault than they are.
class LaneFailures {
public:
    enum class Consequence { tryAgain, laneOut, askPerson };

    Consequence failed(const std::string& lane, KernelId kernel, bool deviceTrouble);
    void succeeded(const std::string& lane, KernelId kernel);
    bool failedOn(KernelId kernel, const std::string& lane) const;
    void forget() { *this = {}; }

private:
    std::map<std::string, int> m_inRow;                   // by lane
    std::map<KernelId, std::set<std::string>> m_failedOn; // lanes on which a kernel failed
};

} // namespace gks
