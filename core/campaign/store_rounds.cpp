// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/store.h"
#include "core/campaign/store_state.h"
#include "core/campaign/stored_json.h"

#include <fmt/format.h>

// What was thought in each round.
namespace gks {
namespace {

std::string diagnosisText(const std::vector<ShapeLimit>& diagnosis) {
    OrderedJson rows = OrderedJson::array();
    for (const ShapeLimit& row : diagnosis) {
        rows.push_back(
            {{"shapes", row.shapes}, {"limit", row.limit}, {"evidence", row.evidence}, {"headroom", row.headroom}});
    }
    return storedJson(rows);
}

} // namespace

Result<void> CampaignStore::addRound(const Round& round, const std::vector<Avenue>& avenues) {
    GKS_TRY_ASSIGN(auto transaction, m_state->begin());
    Database& database = m_state->database;
    m_state->reader.roundsChanged();
    const std::string diagnosis = diagnosisText(round.diagnosis);
    GKS_TRY(database.run("INSERT INTO round (id, parent, reference, rationale, diagnosis, model, created_at) VALUES "
                         "(?, ?, ?, ?, ?, ?, ?)",
                         {round.id, round.parent, orNull(round.reference), round.rationale, diagnosis, round.model,
                          round.createdAt != 0 ? round.createdAt : now()}));
    for (const Avenue& avenue : avenues) {
        GKS_TRY(database.run("INSERT INTO avenue (id, round, text, asked) VALUES (?, ?, ?, ?)",
                             {avenue.id, round.id, avenue.text, std::int64_t{avenue.asked}}));
    }
    return transaction.commit();
}

Result<void> CampaignStore::updateAvenue(const Avenue& avenue, const Steering& why) {
    GKS_TRY_ASSIGN(auto transaction, m_state->begin());
    m_state->reader.roundsChanged();
    GKS_TRY(m_state->database.run("UPDATE avenue SET asked = ? WHERE id = ?", {std::int64_t{avenue.asked}, avenue.id}));
    if (m_state->database.changes() != 1) {
        return usageError(fmt::format("there is no avenue {}", avenue.id));
    }
    GKS_TRY(m_state->insertSteering(why));
    return transaction.commit();
}

} // namespace gks
