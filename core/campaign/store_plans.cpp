// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/store_plans.h"

#include "core/base/hash.h"
#include "core/campaign/compression.h"
#include "core/campaign/damage.h"
#include "core/campaign/schema.h"
#include "core/campaign/store_state.h"
#include "core/campaign/stored_json.h"
#include "core/judge/recorded_plans.h"

namespace gks {
namespace {

Result<void> insertDeviceCode(Database& database, const KernelPlans& plans) {
    if (plans.deviceCode.empty()) {
        return {};
    }
    const std::string code = compressed(plans.deviceCode);
    return database.run("INSERT OR IGNORE INTO device_code (sha256, code) VALUES (?, ?)",
                        {plans.deviceCodeSha256, Blob{code}});
}

Result<void> readDeviceCode(const Database& database, KernelPlans& plans) {
    return database.each("SELECT code FROM device_code WHERE sha256 = ?", {plans.deviceCodeSha256},
                         [&](const Row& row) -> Result<void> {
                             GKS_TRY_ASSIGN(plans.deviceCode, decompressed(row.text(0), "device_code"));
                             return sha256Hex(plans.deviceCode) == plans.deviceCodeSha256
                                        ? Result<void>()
                                        : damaged("device code of another hash", "device_code");
                         });
}

// The first row, if there is one.
Result<std::optional<RecordedPlans>> readPlans(const Database& database, const char* query, std::int64_t id) {
    std::optional<RecordedPlans> plans;
    GKS_TRY_ASSIGN(const auto version, database.integer("PRAGMA user_version"));
    if (version.value_or(0) < launchPlansVersion) { // a file that may only be read keeps the schema that it has
        return plans;
    }
    GKS_TRY(database.each(query, {id}, [&](const Row& row) -> Result<void> {
        GKS_TRY_ASSIGN(const std::string text, decompressed(row.text(0), "launch_plan"));
        GKS_TRY_ASSIGN(plans, recordedPlansFromText(text, "launch_plan"));
        return {};
    }));
    return plans;
}

std::shared_ptr<const RecordedPlans> shared(std::optional<RecordedPlans> plans) {
    return plans ? std::make_shared<const RecordedPlans>(std::move(*plans)) : nullptr;
}

} // namespace

Result<void> insertPlans(Database& database, std::int64_t evaluation, const Verdict& verdict) {
    if (!verdict.plans) {
        return {};
    }
    const std::string plans = compressed(storedJson(toJson(*verdict.plans, CodeBytes::left)));
    GKS_TRY(database.run("INSERT INTO launch_plan (evaluation, plans) VALUES (?, ?)", {evaluation, Blob{plans}}));
    GKS_TRY(insertDeviceCode(database, verdict.plans->kernel));
    return verdict.plans->baseline ? insertDeviceCode(database, *verdict.plans->baseline) : Result<void>();
}

Result<std::shared_ptr<const RecordedPlans>> CampaignStore::plans(std::int64_t evaluation) const {
    const Database& database = m_state->database;
    GKS_TRY_ASSIGN(auto plans, readPlans(database, "SELECT plans FROM launch_plan WHERE evaluation = ?", evaluation));
    if (plans) {
        GKS_TRY(readDeviceCode(database, plans->kernel));
        if (plans->baseline) {
            GKS_TRY(readDeviceCode(database, *plans->baseline));
        }
    }
    return shared(std::move(plans));
}

Result<std::shared_ptr<const RecordedPlans>> CampaignStore::newestPlans(KernelId kernel) const {
    GKS_TRY_ASSIGN(auto plans, readPlans(m_state->database,
                                         "SELECT plans FROM launch_plan JOIN evaluation ON evaluation = id "
                                         "WHERE kernel = ? ORDER BY id DESC LIMIT 1",
                                         kernel));
    return shared(std::move(plans));
}

} // namespace gks
