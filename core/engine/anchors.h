// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "core/problem/problem.h"
#include "core/target/target.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace gks {

// Libraries that the problem pack names: each is measured once in a campaign, beside the baseline, when the seeds are
// judged. One that cannot be measured has a figure that says why, and is not tried again. They are no kernels: no
// budget of evaluations pays for them, and they teach nothing.
class Anchors {
public:
    explicit Anchors(std::function<Result<ProblemPack>(const std::string&)> loadProblem)
        : m_loadProblem(std::move(loadProblem)) {}

    // What a lane of this target is to measure now; nothing when that is a kernel's turn.
    std::optional<AnchorSpec> next(const Population& population, TargetKind target);
    void started(std::size_t lane, AnchorSpec anchor) { m_away.insert_or_assign(lane, std::move(anchor)); }
    std::optional<AnchorSpec> ended(std::size_t lane); // what it measured; nothing when that was a kernel
    std::size_t inFlight() const { return m_away.size(); }

private:
    bool isDue(const Population& population, const AnchorSpec& anchor) const;

    std::function<Result<ProblemPack>(const std::string&)> m_loadProblem;
    std::optional<std::vector<AnchorSpec>> m_known; // of a campaign they do not change
    std::map<std::size_t, AnchorSpec> m_away;       // by lane
};

// The figure of what a lane brought back, as the campaign keeps it.
AnchorFigure figureOf(const AnchorSpec& anchor, const Evaluation& evaluation);

} // namespace gks
