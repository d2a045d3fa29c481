// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop.h"

// What the scientist has learnt and what it is given to read, as a person changes it.
namespace gks {

void Loop::handle(const command::SetPrompt& set) {
    changeSettings(set, [&](CampaignSettings& settings) {
        if (set.text) {
            settings.prompts[set.name] = *set.text;
        } else {
            settings.prompts.erase(set.name);
        }
    });
    m_scientist.reset();
}

void Loop::handle(const command::AddFinding& add) {
    Finding finding;
    finding.subject = add.subject;
    finding.text = add.text;
    finding.author = Author::person;
    finding.editedByPerson = true;
    if (stored(m_store->addFinding(finding))) {
        stored(m_store->addSteering(historyLine(add)));
    }
}

void Loop::handle(const command::EditFinding& edit) {
    const Finding& known = *m_population->finding(edit.finding);
    Finding finding = known;
    finding.subject = edit.subject.value_or(known.subject);
    finding.text = edit.text.value_or(known.text);
    finding.state = edit.state.value_or(known.state);
    finding.editedByPerson = known.editedByPerson || finding.text != known.text || finding.subject != known.subject;
    finding.changedAt = 0;
    stored(m_store->updateFinding(finding, historyLine(edit)));
}

void Loop::addExchange(const Exchange& exchange) {
    stored(m_store->addExchange(exchange));
}

void Loop::handle(const command::AddDocument& add) {
    stored(m_store->addDocument(add.document, add.passages, historyLine(add)));
}

void Loop::handle(const command::EditDocument& edit) {
    Document document = *m_population->document(edit.document);
    document.title = edit.title.value_or(document.title);
    document.digest = edit.digest.value_or(document.digest);
    document.enabled = edit.enabled.value_or(document.enabled);
    stored(m_store->updateDocument(document, historyLine(edit)));
}

void Loop::handle(const command::RemoveDocument& remove) {
    stored(m_store->removeDocument(remove.document, historyLine(remove)));
}

} // namespace gks
