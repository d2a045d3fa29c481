// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/run.h"
#include "core/engine/trust.h"

namespace gks {

// Nothing that a file from elsewhere names gets a key or is built before somebody has answered for it. A start is
// refused; and because a pack may change while the campaign runs, it is looked at again before every evaluation.
class TrustGate {
public:
    TrustGate(Run& run, Outlet& outlet) : m_run(run), m_outlet(outlet) {}

    Result<void> open(const std::vector<TrustKind>& answered); // for what the options say
    const std::string& identity() const { return m_identity; } // of the campaign
    bool isTrusted(bool toStart);                              // false: asked for
    bool isPackTrusted(bool toStart = true);                   // false: halted
    // What the person names by a command is their answer; what stands in the file already is not.
    void answerFor(const std::map<std::string, ModelChoice>& named);

private:
    Run& m_run;
    Outlet& m_outlet;
    std::string m_identity;
    bool m_packIsBuiltin = false; // found out once: the problem of a campaign does not change
};

} // namespace gks
