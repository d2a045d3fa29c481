// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/run.h"

#include <optional>
#include <vector>

namespace gks {

// Comparisons that a person asked for: which one a lane may take, and how it leaves the settings. It leaves them after
// its result is stored, so a kill between the two has it measured twice, and never lost.
class AskedComparisons {
public:
    explicit AskedComparisons(Run& run) : m_run(run) {}

    // The first that waits and that no lane has; nothing: there is none. One whose kernels are not both accepted any
    // more leaves the settings unmeasured.
    std::optional<AskedComparison> next();
    void begun(const AskedComparison& asked) { m_inFlight.push_back(asked); }
    void returned(const AskedComparison& asked); // by its lane, with a result or without
    void done(const AskedComparison& asked, const Verdict& verdict);
    // The infrastructure failed it. Once it is tried again; kernels that cannot be compared on these shapes are let go.
    void failed(const AskedComparison& asked, const Verdict& verdict);

private:
    void remove(const AskedComparison& asked, const std::string& detail);

    Run& m_run;
    std::vector<AskedComparison> m_inFlight;
    std::vector<AskedComparison> m_failedOnce;
};

} // namespace gks
