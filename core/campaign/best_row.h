// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/database.h"
#include "core/campaign/types.h"

namespace gks {

// What the population says of its best kernel, as the one row of the table `best`: who asks for that alone need not fit
// a scale over every evaluation. It is true of the evaluations up to the newest one that it names; a row of others is
// none.
struct BestRow {
    std::int64_t newestEvaluation = 0;
    std::optional<KernelId> baseline = {};
    std::optional<KernelId> kernel = {};
    std::optional<SpeedRatio> speed = {}; // of it, over the baseline
    bool operator==(const BestRow&) const = default;
};
Result<BestRow> bestRowOf(const Database& database, const Population& population);
Result<void> writeBestRow(Database& database, const BestRow& row);
// The weights of shapes decide too: a change of settings leaves no row.
Result<void> removeBestRow(Database& database);
// Empty where the file has none of its newest evaluation.
Result<std::optional<BestRow>> readBestRow(const Database& database, std::int64_t schema);

} // namespace gks
