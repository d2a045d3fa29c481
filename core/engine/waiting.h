// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"

#include <optional>
#include <string>

// Why something does not go on now, for window and command line.
namespace gks {

struct Wait {
    enum class For {
        nothing,
        codeApproval,
        screening, // it is built before a device takes it
        lane,
        verdict,       // on `kernel`, which it is compared with
        parentVerdict, // on `kernel`, which it is made from
        budget,        // `spent` says which
        pick,          // no one picked it yet
        approvalOnly,  // it was not picked
        approval,
        ownCode, // no model writes in this campaign
        repair,  // of `kernel`
        writing,
    };
    For what = For::nothing;
    std::optional<KernelId> kernel = {};
    std::optional<VerdictKind> failed = {}; // of `kernel`: a draft that is left to be mended
    std::string spent = {};                 // "evaluation budget reached (3)"
    bool operator==(const Wait&) const = default;
};
Wait waitOf(const Kernel& kernel, const Population& population);
Wait waitOf(const Experiment& experiment, const Population& population);

// In one plain sentence; empty: it waits for nothing.
std::string waitText(const Wait& wait);
std::string waitText(const Kernel& kernel, const Population& population);
std::string waitText(const Experiment& experiment, const Population& population);

} // namespace gks
