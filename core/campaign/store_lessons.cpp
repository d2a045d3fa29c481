// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/campaign/store.h"
#include "core/campaign/store_state.h"
#include "core/campaign/store_transitions.h"
#include "core/campaign/stored_json.h"

#include <fmt/format.h>

// What was learnt and what there is to read: findings and documents.
namespace gks {
namespace {

constexpr std::size_t searchWordLimit = 64;

Result<void> writeFinding(Database& database, const Finding& finding) {
    GKS_TRY(checkTransition(database, finding.id, finding.state));
    const std::string evaluations = storedJson(Json(finding.evaluations));
    const std::string contradicting = storedJson(Json(finding.contradicting));
    GKS_TRY(database.run("UPDATE finding SET subject = ?, text = ?, gain_low = ?, gain_high = ?, "
                         "evaluations = ?, contradicting = ?, state = ?, author = ?, edited_by_person = ?, changed_at "
                         "= ?, probe = ? WHERE id = ?",
                         {finding.subject, finding.text, bound(finding.gain, &Interval::low),
                          bound(finding.gain, &Interval::high), evaluations, contradicting, name(finding.state),
                          name(finding.author), std::int64_t{finding.editedByPerson},
                          finding.changedAt != 0 ? finding.changedAt : now(), orNull(finding.probe), finding.id}));
    return database.changes() == 1 ? Result<void>() : usageError(fmt::format("finding {} not found", finding.id));
}

Passage passageFrom(const Row& row) {
    return {row.integer(0), row.integer(1), row.text(2), row.text(3)};
}

// Every word by itself and in quotes: a query language that strangers write in would be one more parser to trust.
std::string quotedWords(std::string_view text) {
    std::vector<std::string> quoted;
    for (const std::string_view word : words(text)) {
        if (quoted.size() < searchWordLimit) {
            quoted.push_back(fmt::format("\"{}\"", word));
        }
    }
    return join(quoted, " OR ");
}

} // namespace

Result<std::int64_t> CampaignStore::addFinding(const Finding& finding) {
    GKS_TRY_ASSIGN(auto transaction, m_state->begin());
    m_state->reader.findingsChanged();
    GKS_TRY(m_state->database.run("INSERT INTO finding (text, evaluations, author, at) VALUES ('', '[]', ?, ?)",
                                  {name(finding.author), finding.at != 0 ? finding.at : now()}));
    Finding added = finding;
    added.id = m_state->database.lastId();
    GKS_TRY(writeFinding(m_state->database, added));
    GKS_TRY(transaction.commit());
    return added.id;
}

Result<void> CampaignStore::updateFinding(const Finding& finding) {
    GKS_TRY_ASSIGN(auto transaction, m_state->begin());
    m_state->reader.findingsChanged();
    GKS_TRY(writeFinding(m_state->database, finding));
    return transaction.commit();
}

Result<void> CampaignStore::updateFinding(const Finding& finding, const Steering& why) {
    GKS_TRY_ASSIGN(auto transaction, m_state->begin());
    m_state->reader.findingsChanged();
    GKS_TRY(writeFinding(m_state->database, finding));
    GKS_TRY(m_state->insertSteering(why));
    return transaction.commit();
}

Result<std::int64_t> CampaignStore::addDocument(const Document& document, const std::vector<Passage>& passages,
                                                const Steering& why) {
    GKS_TRY_ASSIGN(auto transaction, m_state->begin());
    Database& database = m_state->database;
    GKS_TRY_ASSIGN(const auto known, database.integer("SELECT id FROM document WHERE sha256 = ?", {document.sha256}));
    if (known) {
        return *known;
    }
    m_state->reader.documentsChanged();
    GKS_TRY(database.run("INSERT INTO document (title, kind, sha256, size_bytes, digest, enabled, added_at) VALUES (?, "
                         "?, ?, ?, ?, ?, ?)",
                         {document.title, document.kind, document.sha256, document.sizeBytes, document.digest,
                          std::int64_t{document.enabled}, document.addedAt != 0 ? document.addedAt : now()}));
    const std::int64_t id = database.lastId();
    std::int64_t number = 0;
    for (const Passage& passage : passages) {
        GKS_TRY(database.run("INSERT INTO passage (document, number, heading, text) VALUES (?, ?, ?, ?)",
                             {id, ++number, passage.heading, passage.text}));
    }
    GKS_TRY(database.run("INSERT INTO passage_words (rowid, heading, text) "
                         "SELECT id, heading, text FROM passage WHERE document = ?",
                         {id}));
    GKS_TRY(m_state->insertSteering(why));
    GKS_TRY(transaction.commit());
    return id;
}

Result<void> CampaignStore::updateDocument(const Document& document, const Steering& why) {
    GKS_TRY_ASSIGN(auto transaction, m_state->begin());
    m_state->reader.documentsChanged();
    GKS_TRY(m_state->database.run("UPDATE document SET title = ?, digest = ?, enabled = ? WHERE id = ?",
                                  {document.title, document.digest, std::int64_t{document.enabled}, document.id}));
    if (m_state->database.changes() != 1) {
        return usageError(fmt::format("document {} not found", document.id));
    }
    GKS_TRY(m_state->insertSteering(why));
    return transaction.commit();
}

Result<void> CampaignStore::removeDocument(std::int64_t id, const Steering& why) {
    GKS_TRY_ASSIGN(auto transaction, m_state->begin());
    m_state->reader.documentsChanged();
    // An index without a content of its own is told what to forget.
    GKS_TRY(m_state->database.run("INSERT INTO passage_words (passage_words, rowid, heading, text) "
                                  "SELECT 'delete', id, heading, text FROM passage WHERE document = ?",
                                  {id}));
    GKS_TRY(m_state->database.run("DELETE FROM passage WHERE document = ?", {id}));
    GKS_TRY(m_state->database.run("DELETE FROM document WHERE id = ?", {id}));
    if (m_state->database.changes() != 1) {
        return usageError(fmt::format("document {} not found", id));
    }
    GKS_TRY(m_state->insertSteering(why));
    return transaction.commit();
}

Result<std::vector<Passage>> CampaignStore::passages(std::int64_t document) const {
    std::vector<Passage> found;
    GKS_TRY(
        m_state->database.each("SELECT document, number, heading, text FROM passage WHERE document = ? ORDER BY number",
                               {document}, [&](const Row& row) -> Result<void> {
                                   found.push_back(passageFrom(row));
                                   return {};
                               }));
    return found;
}

Result<std::vector<Passage>> CampaignStore::searchPassages(std::string_view question, int limit) const {
    std::vector<Passage> found;
    const std::string query = quotedWords(question);
    if (query.empty()) {
        return found;
    }
    GKS_TRY(m_state->database.each(
        "SELECT p.document, p.number, p.heading, p.text FROM passage_words w JOIN passage p ON p.id = w.rowid "
        "JOIN document d ON d.id = p.document WHERE passage_words MATCH ? AND d.enabled = 1 "
        "ORDER BY bm25(passage_words, 4.0, 1.0), p.id LIMIT ?",
        {query, std::int64_t{limit}}, [&](const Row& row) -> Result<void> {
            found.push_back(passageFrom(row));
            return {};
        }));
    return found;
}

} // namespace gks
