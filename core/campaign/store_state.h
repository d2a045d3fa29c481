// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/best_row.h"
#include "core/campaign/file_lock.h"
#include "core/campaign/population_reader.h"
#include "core/campaign/store.h"

namespace gks {

// Absolute and without links, also of a file that is not there yet: SQLite's log and the folder to write to belong to
// it.
std::filesystem::path canonicalPath(const std::filesystem::path& file);

// A connection that reads, also where nothing may be written.
Result<Database> openReading(const std::filesystem::path& file);

// Whether this is a campaign that this program knows; `file` is its name in errors.
Result<void> checkCampaign(const Database& database, const std::filesystem::path& file);

// With its log. Of one that is being made: nobody has it open.
void removeCampaign(const std::filesystem::path& file);

// What the parts of the store share.
struct CampaignStore::State {
    std::filesystem::path file;
    std::optional<FileLock> lock; // without it the store only reads
    Database database;
    mutable PopulationReader reader;
    TextFrames frames = {};
    mutable std::optional<BestRow> best = {}; // of the newest population
    mutable PopulationPtr noted = {};         // that it is of
    std::optional<BestRow> writtenBest = {};

    Result<void> noteBest(const PopulationPtr& population) const;
    Result<void> writeBest(); // in a transaction
    // What is known of the best since the last one goes along: it costs no transaction of its own.
    Result<Transaction> begin();
    Result<std::int64_t> schema() const; // a file that is only read is not brought to the newest one
    Result<void> insertSteering(const Steering& steering);
    Result<void> putSettings(const CampaignSettings& settings); // in a transaction
};

} // namespace gks
