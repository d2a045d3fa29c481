// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/command_desk.h"

// What a person says of the code of drafts.
namespace gks {

void CommandDesk::decide(KernelId draft, KernelState decision, const std::string& remark, ExperimentState itsExperiment,
                         const SteeringCommand& command) {
    if (m.run.stored(m.run.store().decideDraft(draft, decision, remark, itsExperiment, historyLine(command)))) {
        m.run.notes.exhausted = false;
        goOnAfterApproval();
    }
}

void CommandDesk::handle(const command::ApproveCode& approve) {
    decide(approve.kernel, KernelState::waiting, {}, ExperimentState::evaluating, approve);
}

void CommandDesk::handle(const command::RejectCode& reject) {
    decide(reject.kernel, KernelState::declined, reject.remark, ExperimentState::rejected, reject);
}

void CommandDesk::handle(const command::SendBackCode& send) {
    decide(send.kernel, KernelState::declined, send.remark, ExperimentState::approved, send);
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
    const auto id = m.run.store().replaceDraft(draft.id, std::move(edited), "the person wrote their own in its place",
                                               [&](KernelId made) { return historyLine(edit, made); });
    if (m.run.stored(id)) {
        goOnAfterApproval();
    }
}

} // namespace gks
