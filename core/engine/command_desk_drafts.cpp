// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/command_desk.h"

// What a person says of the code of drafts.
namespace gks {

void CommandDesk::decide(KernelId draft, CampaignStore::DraftDecision decision, const std::string& remark,
                         const SteeringCommand& command) {
    const ExperimentState itsExperiment = m.drafts.afterDecision(*m.run.population().kernel(draft), decision);
    if (m.run.stored(m.run.store().decideDraft(draft, decision, remark, itsExperiment, historyLine(command)))) {
        m.run.notes.exhausted = false;
        if (decision != CampaignStore::DraftDecision::reopen) { // nothing was decided
            goOnAfterApproval();
        }
    }
}

void CommandDesk::handle(const command::ApproveCode& approve) {
    decide(approve.kernel, CampaignStore::DraftDecision::approve, {}, approve);
}

void CommandDesk::handle(const command::RejectCode& reject) {
    decide(reject.kernel, CampaignStore::DraftDecision::reject, reject.remark, reject);
}

void CommandDesk::handle(const command::SendBackCode& send) {
    decide(send.kernel, CampaignStore::DraftDecision::sendBack, send.remark, send);
}

void CommandDesk::handle(const command::ReopenCode& reopen) {
    decide(reopen.kernel, CampaignStore::DraftDecision::reopen, {}, reopen);
}

void CommandDesk::handle(const command::EditCode& edit) {
    const Kernel& draft = *m.run.population().kernel(edit.kernel);
    Kernel edited;
    edited.parents = draft.parents;
    edited.reference = draft.reference;
    edited.experiment = draft.experiment;
    edited.title = draft.title;
    edited.author = Author::person;
    edited.source = edit.source;
    edited.probe = draft.probe;
    const Experiment* experiment = draft.experiment ? m.run.population().experiment(*draft.experiment) : nullptr;
    const ExperimentState state =
        experiment != nullptr ? m.drafts.tally(*experiment, &edited).state() : ExperimentState::evaluating;
    const auto id = m.run.store().replaceDraft(
        draft.id, std::move(edited), "the person wrote their own in its place",
        [&](KernelId made) { return historyLine(edit, made); }, state);
    if (m.run.stored(id)) {
        m.run.ask(*id);
        goOnAfterApproval();
    }
}

} // namespace gks
