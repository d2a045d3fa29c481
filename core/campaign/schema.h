// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/database.h"

#include <span>
#include <string>
#include <string_view>

namespace gks {

// "GKS1" in application_id: what tells a campaign from any other SQLite file.
inline constexpr std::int64_t campaignApplicationId = 0x474B5331;

// SQL that takes a file from the version before to `version`. Versions count from 1 without gaps; version 1 starts from
// nothing.
struct Migration {
    int version = 0;
    const char* sql = nullptr;
    Result<void> (*fill)(Database&) = nullptr; // what SQL alone cannot do, after it
};
std::span<const Migration> campaignMigrations();
inline constexpr int exchangeEstimatesVersion = 5; // from it on an exchange says whether its tokens are an estimate
inline constexpr int launchPlansVersion = 6;       // from it on launch plans are kept
inline constexpr int checkedCodeVersion = 8;       // from it on drafts may wait for a person
inline constexpr int writersVersion = 9;           // from it on several writers, probes and anchors are kept
inline constexpr int indexedVersion = 10; // from it on kernels have an index of words, decisions what stood before
inline constexpr int framesVersion = 11;  // from it on verdicts, sources and accounts are frames, apart from the rows
inline constexpr int sketchVersion = 12;  // from it on kernels have a sketch of their source, and the best a row
inline constexpr int wholeSettingsVersion = 12; // from it on the settings of a file have every field
inline constexpr int roundsVersion = 7;         // from it on rounds are kept, and gains are ratios
// SQL: the gain as a ratio, of a column of earlier versions that has the saved time in percent.
std::string gainRatioOf(std::string_view percentColumn);
int newestVersion(std::span<const Migration> migrations);

// Brings user_version to the newest of `migrations`, all steps in one transaction. A newer file is refused with the
// name of the program version that wrote it last (campaign.written_by, which every schema keeps).
Result<void> migrate(Database& database, std::span<const Migration> migrations);
// The file comes from anybody, and a trigger, a view or a computed column is code that runs when the file is read or
// written. Refuses every object that the migrations up to the file's user_version do not make, and one that they make
// otherwise.
Result<void> refuseForeignSchema(const Database& database, std::span<const Migration> migrations,
                                 const std::string& path);
Result<void> refuseNewer(const Database& database, std::span<const Migration> migrations, const std::string& path);

} // namespace gks
