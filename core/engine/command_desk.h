// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/agent_kernel.h"
#include "core/engine/lanes.h"
#include "core/engine/proposals.h"
#include "core/engine/scientist_desk.h"
#include "core/engine/trust_gate.h"
#include "core/engine/verdicts.h"

namespace gks {

// What a person asks for. What can be carried out (core/campaign/rules.h) leaves a line in the history.
class CommandDesk {
public:
    struct Parts {
        Run& run;
        CampaignKeeper& campaign;
        Outlet& outlet;
        TrustGate& trust;
        Lanes& lanes;
        Lanes& benches;
        ScientistDesk& scientists;
        Proposals& proposals;
        Drafts& drafts;
        Verdicts& verdicts;
    };
    explicit CommandDesk(const Parts& parts) : m(parts) {}

    bool mayWrite();                               // raises a warning when the file is read-only
    void carryOut(const SteeringCommand& command); // a refusal is a warning
    // Refused too: what was warned of while it was carried out, a start that nobody answers for, a file that cannot be
    // written.
    Result<void> tryOut(const SteeringCommand& command);
    Result<KernelId> propose(const AgentKernel& kernel); // of no person: under every budget

private:
    // One for each command (command_desk.cpp, command_desk_drafts.cpp, command_desk_lessons.cpp).
    void handle(const command::Start& start);
    void handle(const command::Pause& pause);
    void handle(const command::Step& step);
    void handle(const command::Stop& stop);
    void handle(const command::CancelCurrent& cancel);
    void handle(const command::PinParent& pin);
    void tellPin(const command::PinParent& pin);
    void handle(const command::SetBanned& set);
    void handle(const command::EvaluateAgain& again);
    void handle(const command::MeasureSideBySide& asked);
    void handle(const command::UnaskComparison& taken);
    void handle(const command::RestoreLane& restore);
    void handle(const command::AddKernel& add);
    void handle(const command::ApproveCode& approve);
    void handle(const command::RejectCode& reject);
    void handle(const command::SendBackCode& send);
    void handle(const command::ReopenCode& reopen);
    void handle(const command::EditCode& edit);
    void handle(const command::ApproveExperiment& approve);
    void handle(const command::RejectExperiment& reject);
    void handle(const command::EditExperiment& edit);
    void handle(const command::RestoreExperiment& restore);
    void handle(const command::AddExperiment& add);
    void handle(const command::ReorderExperiments& reorder);
    void handle(const command::AskForAvenue& ask);
    void handle(const command::SetMode& set);
    void handle(const command::SetBudgets& set);
    void handle(const command::SetScientist& set);
    void handle(const command::SetHint& set);
    void handle(const command::SetShapeWeights& set);
    void handle(const command::SetPolicies& set);
    void handle(const command::SetPrompt& set);
    void handle(const command::AddFinding& add);
    void handle(const command::EditFinding& edit);
    void handle(const command::AddDocument& add);
    void handle(const command::EditDocument& edit);
    void handle(const command::RemoveDocument& remove);
    void begin(bool oneRound, const SteeringCommand& command);
    void cancelWork();
    void cancelPlanning(); // a selection or design that a command has made obsolete
    void decide(ExperimentId experiment, ExperimentState decision, const SteeringCommand& command);
    void decide(KernelId draft, CampaignStore::DraftDecision decision, const std::string& remark,
                const SteeringCommand& command);
    void goOnAfterApproval(); // when the loop has paused for it
    void changeSettings(const SteeringCommand& command, const std::function<void(CampaignSettings&)>& change);
    Steering historyLine(const SteeringCommand& command, std::int64_t made = 0) const;
    bool isAnyApproved() const; // that is still to be drafted

    Parts m;
};

} // namespace gks
