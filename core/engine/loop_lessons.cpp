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

Steering byPerson(std::string action, std::string_view detail) {
    return {0, Author::person, std::move(action), abbreviated(detail, 200), 0};
}

Error tooLong(std::string_view what, std::size_t size, std::size_t limit) {
    return {ErrorKind::usage,
            fmt::format("{} has {}, at most {} are allowed", what, formatBytes(size), formatBytes(limit)),
            {},
            "Shorten it"};
}

} // namespace

void Loop::setPrompt(const std::string& name, const std::optional<std::string>& text) {
    if (text && text->size() > promptLimitBytes) {
        warn(tooLong("the prompt", text->size(), promptLimitBytes), "steering");
        return;
    }
    changeSettings(text ? "edit prompt" : "reset prompt", name, [&](CampaignSettings& settings) {
        if (text) {
            settings.prompts[name] = *text;
        } else {
            settings.prompts.erase(name);
        }
    });
    m_scientist.reset();
}

void Loop::addFinding(Finding finding) {
    if (trimmed(finding.text).empty() || finding.text.size() > findingLimitBytes) {
        warn(tooLong("the finding", finding.text.size(), findingLimitBytes), "findings");
        return;
    }
    finding.author = Author::person;
    finding.editedByPerson = true;
    if (stored(m_store->addFinding(finding))) {
        stored(m_store->addSteering(byPerson("add finding", finding.text)));
    }
}

void Loop::editFinding(const Finding& edited) {
    const Finding* known = m_population->finding(edited.id);
    if (known == nullptr) {
        warn(Error{ErrorKind::usage, fmt::format("there is no finding {}", edited.id)}, "findings");
        return;
    }
    if (trimmed(edited.text).empty() || edited.text.size() > findingLimitBytes) {
        warn(tooLong("the finding", edited.text.size(), findingLimitBytes), "findings");
        return;
    }
    Finding finding = *known;
    finding.editedByPerson = finding.editedByPerson || finding.text != edited.text || finding.subject != edited.subject;
    finding.subject = edited.subject;
    finding.text = edited.text;
    finding.state = edited.state;
    finding.changedAt = 0;
    const char* const action = edited.state == FindingState::dismissed ? "dismiss finding" : "edit finding";
    stored(m_store->updateFinding(finding, byPerson(action, fmt::format("{}: {}", finding.id, finding.text))));
}

void Loop::addExchange(const Exchange& exchange) {
    stored(m_store->addExchange(exchange));
}

void Loop::addDocument(const Document& document, const std::vector<Passage>& passages) {
    stored(m_store->addDocument(document, passages, byPerson("add document", document.title)));
}

void Loop::editDocument(const Document& edited) {
    if (edited.digest.size() > digestLimitBytes) {
        warn(tooLong("the digest", edited.digest.size(), digestLimitBytes), "documents");
        return;
    }
    const auto done = m_store->updateDocument(edited, byPerson("edit document", edited.title));
    if (!done) {
        warn(done.error(), "documents");
    }
}

void Loop::removeDocument(std::int64_t id) {
    const auto done = m_store->removeDocument(id, byPerson("remove document", std::to_string(id)));
    if (!done) {
        warn(done.error(), "documents");
    }
}

} // namespace gks
