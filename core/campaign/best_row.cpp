// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/best_row.h"

#include "core/campaign/schema.h"

#include <cmath>

namespace gks {
namespace {

Result<std::int64_t> newestEvaluationOf(const Database& database) {
    GKS_TRY_ASSIGN(const auto newest, database.integer("SELECT max(id) FROM evaluation"));
    return newest.value_or(0);
}

// Whoever wrote the file.
bool isSound(const BestRow& row) {
    const auto holds = [&](const Interval& interval) {
        return interval.low > 0 && interval.low <= row.speed->ratio && row.speed->ratio <= interval.high &&
               std::isfinite(interval.high);
    };
    return !row.speed || (holds(row.speed->ci95) && holds(row.speed->ci99));
}

} // namespace

Result<BestRow> bestRowOf(const Database& database, const Population& population) {
    GKS_TRY_ASSIGN(const std::int64_t newest, newestEvaluationOf(database));
    BestRow row = {newest, population.baseline, population.best};
    if (const Kernel* best = population.best ? population.kernel(*population.best) : nullptr) {
        const SpeedRatio* speed = population.speed(*best);
        row.speed = speed != nullptr ? std::optional(*speed) : std::nullopt;
    }
    return row;
}

Result<void> writeBestRow(Database& database, const BestRow& row) {
    constexpr SpeedRatio none = {0, {0, 0}, {0, 0}};
    const SpeedRatio speed = row.speed.value_or(none);
    return database.run(
        "INSERT OR REPLACE INTO best (one, evaluation, baseline, kernel, speedup, low95, high95, low99, "
        "high99) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)",
        {row.newestEvaluation, orNull(row.baseline), orNull(row.kernel), speed.ratio, speed.ci95.low, speed.ci95.high,
         speed.ci99.low, speed.ci99.high});
}

Result<void> removeBestRow(Database& database) {
    return database.run("DELETE FROM best");
}

Result<std::optional<BestRow>> readBestRow(const Database& database, std::int64_t schema) {
    std::optional<BestRow> found;
    if (schema < sketchVersion) {
        return found;
    }
    GKS_TRY(database.each("SELECT evaluation, baseline, kernel, speedup, low95, high95, low99, high99 FROM best", {},
                          [&](const Row& row) -> Result<void> {
                              found = BestRow{row.integer(0), row.optionalInteger(1), row.optionalInteger(2), {}};
                              if (row.real(3) != 0) {
                                  found->speed = {row.real(3), {row.real(4), row.real(5)}, {row.real(6), row.real(7)}};
                              }
                              return {};
                          }));
    GKS_TRY_ASSIGN(const std::int64_t newest, newestEvaluationOf(database));
    if (found && (found->newestEvaluation != newest || !isSound(*found))) {
        found.reset();
    }
    return found;
}

} // namespace gks
