// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/store.h"
#include "core/campaign/store_state.h"
#include "core/campaign/stored_json.h"

// Libraries that kernels are measured against.
namespace gks {

Result<std::int64_t> CampaignStore::addAnchor(const AnchorFigure& anchor, const Verdict& verdict) {
    GKS_TRY_ASSIGN(auto transaction, m_state->begin());
    Database& database = m_state->database;
    m_state->reader.anchorsChanged();
    m_state->reader.campaignChanged();
    const std::string json = storedJson(toJson(verdict));
    GKS_TRY(
        database.run("INSERT INTO anchor (name, title, lacks, lane, at, verdict) VALUES (?, ?, ?, ?, ?, ?)",
                     {anchor.name, anchor.title, anchor.lacks, anchor.lane, anchor.at != 0 ? anchor.at : now(), json}));
    const std::int64_t id = database.lastId();
    GKS_TRY(database.run("UPDATE campaign SET gpu_seconds = gpu_seconds + ?",
                         {verdict.verifySeconds + verdict.measureSeconds}));
    GKS_TRY(transaction.commit());
    return id;
}

} // namespace gks
