// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/command_desk.h"

// What the scientist has learnt and what it is given to read, as a person changes it.
namespace gks {

void CommandDesk::handle(const command::SetPrompt& set) {
    changeSettings(set, [&](CampaignSettings& settings) {
        if (set.text) {
            settings.prompts[set.name] = *set.text;
        } else {
            settings.prompts.erase(set.name);
        }
    });
    m.scientists.renew();
}

void CommandDesk::handle(const command::AddFinding& add) {
    Finding finding;
    finding.subject = add.subject;
    finding.text = add.text;
    finding.author = Author::person;
    finding.editedByPerson = true;
    if (m.run.stored(m.run.store().addFinding(finding))) {
        m.run.stored(m.run.store().addSteering(historyLine(add)));
    }
}

void CommandDesk::handle(const command::EditFinding& edit) {
    const Finding& known = *m.run.population().finding(edit.finding);
    Finding finding = known;
    finding.subject = edit.subject.value_or(known.subject);
    finding.text = edit.text.value_or(known.text);
    finding.state = edit.state.value_or(known.state);
    finding.editedByPerson = known.editedByPerson || finding.text != known.text || finding.subject != known.subject;
    finding.changedAt = 0;
    m.run.stored(m.run.store().updateFinding(finding, historyLine(edit)));
}

void CommandDesk::handle(const command::AddDocument& add) {
    m.run.stored(m.run.store().addDocument(add.document, add.passages, historyLine(add)));
}

void CommandDesk::handle(const command::EditDocument& edit) {
    Document document = *m.run.population().document(edit.document);
    document.title = edit.title.value_or(document.title);
    document.digest = edit.digest.value_or(document.digest);
    document.enabled = edit.enabled.value_or(document.enabled);
    m.run.stored(m.run.store().updateDocument(document, historyLine(edit)));
}

void CommandDesk::handle(const command::RemoveDocument& remove) {
    m.run.stored(m.run.store().removeDocument(remove.document, historyLine(remove)));
}

} // namespace gks
