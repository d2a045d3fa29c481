// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/tuning.h"
#include "core/scientist/findings.h"

namespace gks {

// Takes verdicts in: the store, what becomes of their experiment, what they add to the findings.
class Verdicts {
public:
    Verdicts(Run& run, CampaignKeeper& campaign, const Drafts& drafts, Tuning& tuning)
        : m_run(run), m_campaign(campaign), m_drafts(drafts), m_tuning(tuning) {}

    void keep(const Evaluation& evaluation);
    void keepUnsaved(); // what a full disk, or a locked file, has not taken

private:
    std::optional<ExperimentState> itsExperiment(const Evaluation& evaluation) const; // where it goes by this
    void learn(Evaluation evaluation, std::int64_t id);                               // what it adds to the findings
    void keepFinding(const std::optional<FindingChange>& change);

    Run& m_run;
    CampaignKeeper& m_campaign;
    const Drafts& m_drafts;
    Tuning& m_tuning;
};

} // namespace gks
