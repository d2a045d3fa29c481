// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/engine/loop.h"

#include <fmt/format.h>

// What the scientist has learnt and what it is given to read, as a person changes it.
namespace gks {
namespace {

constexpr std::size_t promptLimitBytes = std::size_t{64} << 10;
constexpr std::size_t findingLimitBytes = std::size_t{4} << 10;
constexpr std::size_t digestLimitBytes = std::size_t{16} << 10;

Error tooLong(std::string_view what, std::size_t size, std::size_t limit) {
    return {ErrorKind::usage,
            fmt::format("{} has {}, at most {} are allowed", what, formatBytes(size), formatBytes(limit)),
            {},
            "Shorten it"};
}

} // namespace

void Loop::handle(const command::SetPrompt& set) {
    if (set.text && set.text->size() > promptLimitBytes) {
        warn(tooLong("the prompt", set.text->size(), promptLimitBytes), "steering");
        return;
    }
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
    if (trimmed(add.text).empty() || add.text.size() > findingLimitBytes) {
        warn(tooLong("the finding", add.text.size(), findingLimitBytes), "findings");
        return;
    }
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
    const Finding* known = m_population->finding(edit.finding);
    if (known == nullptr) {
        warn(Error{ErrorKind::usage, fmt::format("there is no finding {}", edit.finding)}, "findings");
        return;
    }
    Finding finding = *known;
    finding.subject = edit.subject.value_or(known->subject);
    finding.text = edit.text.value_or(known->text);
    finding.state = edit.state.value_or(known->state);
    if (trimmed(finding.text).empty() || finding.text.size() > findingLimitBytes) {
        warn(tooLong("the finding", finding.text.size(), findingLimitBytes), "findings");
        return;
    }
    finding.editedByPerson = known->editedByPerson || finding.text != known->text || finding.subject != known->subject;
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
    const Document* known = m_population->document(edit.document);
    if (known == nullptr) {
        warn(Error{ErrorKind::usage, fmt::format("there is no document {}", edit.document)}, "documents");
        return;
    }
    if (edit.digest && edit.digest->size() > digestLimitBytes) {
        warn(tooLong("the digest", edit.digest->size(), digestLimitBytes), "documents");
        return;
    }
    Document document = *known;
    document.title = edit.title.value_or(known->title);
    document.digest = edit.digest.value_or(known->digest);
    document.enabled = edit.enabled.value_or(known->enabled);
    stored(m_store->updateDocument(document, historyLine(edit)));
}

void Loop::handle(const command::RemoveDocument& remove) {
    const auto done = m_store->removeDocument(remove.document, historyLine(remove));
    if (!done) {
        warn(done.error(), "documents");
    }
}

} // namespace gks
