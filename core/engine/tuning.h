// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/briefings.h"
#include "core/engine/drafts.h"

namespace gks {

// New structures at their best (structures.h): points of the tuner, then tuned against tuned.
class Tuning {
public:
    Tuning(Run& run, CampaignKeeper& campaign, Briefings& briefings, Drafts& drafts)
        : m_run(run), m_campaign(campaign), m_briefings(briefings), m_drafts(drafts) {}

    // Drafts the next point. Experiments of the tuner that have no kernel yet come first, after a kill or when the
    // campaign had another scientist before: no model is asked to set a number. False: none is due.
    bool draftPoint();
    // What an evaluation with tunedPurpose says of its structure.
    void keepDuel(const Evaluation& evaluation);

private:
    bool proposePoint(const Kernel& root, const Briefing& briefing);
    Scientist& tuner();

    Run& m_run;
    CampaignKeeper& m_campaign;
    Briefings& m_briefings;
    Drafts& m_drafts;
    std::unique_ptr<Scientist> m_tuner;
};

} // namespace gks
