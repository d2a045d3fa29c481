// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/store_evaluation.h"

#include "core/campaign/schema.h"
#include "core/campaign/shape_times.h"
#include "core/campaign/store.h"
#include "core/campaign/stored_json.h"

#include <fmt/format.h>

namespace gks {
namespace {

constexpr const char* verdictColumn = "evaluation.verdict";

// A file of an earlier schema has the verdict in the row.
std::string verdictTable(std::int64_t schema) {
    return schema < framesVersion ? "evaluation e" : "evaluation e LEFT JOIN verdict v ON v.evaluation = e.id";
}
const char* verdictText(std::int64_t schema) {
    return schema < framesVersion ? "e.verdict" : "v.text";
}
const char* verdictKind(std::int64_t schema) {
    return schema < framesVersion ? "json_extract(e.verdict, '$.verdict')" : "e.kind";
}

Result<Verdict> verdictOf(const Database& database, const TextFrames& frames, const Row& row, int column) {
    GKS_TRY_ASSIGN(const std::string text, frames.read(database, row, column, verdictColumn));
    GKS_TRY_ASSIGN(const Json json, parseJson(text, verdictColumn));
    return verdictFromJson(json);
}

} // namespace

Result<void> writeVerdictText(Database& database, TextFrames& frames, std::int64_t evaluation, std::string_view text) {
    GKS_TRY_ASSIGN(const std::string frame, frames.pack(database, "verdict", text));
    return database.run("INSERT INTO verdict (evaluation, text) VALUES (?, ?)", {evaluation, Blob{frame}});
}

Result<void> writeFacts(Database& database, std::int64_t evaluation, const Verdict& verdict) {
    GKS_TRY_ASSIGN(const std::string times, packedShapeTimes(database, verdict.measurements));
    const auto& comparison = verdict.comparison;
    const auto ratio = comparison ? std::optional(comparison->ratio) : std::nullopt;
    const auto ci95 = comparison ? std::optional(comparison->ci95) : std::nullopt;
    return database.run("UPDATE evaluation SET kind = ?, device = ?, shapes = ?, geomean_us = ?, ratio = ?, "
                        "ratio_low = ?, ratio_high = ?, shape_times = ? WHERE id = ?",
                        {name(verdict.kind), verdict.device, verdict.conditions.shapes, verdict.geomeanUs,
                         orNull(ratio), bound(ci95, &Interval::low), bound(ci95, &Interval::high), Blob{times},
                         evaluation});
}

Result<std::vector<Evaluation>> readEvaluations(const Database& database, const TextFrames& frames, std::int64_t schema,
                                                KernelId kernel) {
    std::vector<Evaluation> found;
    const std::string question = fmt::format("SELECT e.id, e.kernel, e.baseline, e.purpose, e.lane, e.started_at, "
                                             "e.ended_at, {} FROM {} WHERE e.kernel = ? ORDER BY e.id",
                                             verdictText(schema), verdictTable(schema));
    GKS_TRY(database.each(question.c_str(), {kernel}, [&](const Row& row) -> Result<void> {
        Evaluation evaluation;
        evaluation.id = row.integer(0);
        evaluation.kernel = row.integer(1);
        evaluation.baseline = row.optionalInteger(2);
        evaluation.purpose = row.text(3);
        evaluation.lane = row.text(4);
        evaluation.startedAt = row.integer(5);
        evaluation.endedAt = row.integer(6);
        GKS_TRY_ASSIGN(evaluation.verdict, verdictOf(database, frames, row, 7));
        found.push_back(std::move(evaluation));
        return {};
    }));
    return found;
}

Result<std::optional<Verdict>> readNewestVerdict(const Database& database, const TextFrames& frames,
                                                 std::int64_t schema, KernelId kernel) {
    std::optional<Verdict> newest;
    const std::string question =
        fmt::format("SELECT {0} FROM {1} WHERE e.kernel = ? AND {2} <> 'infrastructure-failed' AND NOT (e.purpose = ? "
                    "AND {2} IN ('correct', 'faster', 'slower', 'tie', 'undecided', 'timed-out')) ORDER BY e.id DESC "
                    "LIMIT 1",
                    verdictText(schema), verdictTable(schema), verdictKind(schema));
    GKS_TRY(database.each(question.c_str(), {kernel, askedOnAllPurpose}, [&](const Row& row) -> Result<void> {
        GKS_TRY_ASSIGN(newest, verdictOf(database, frames, row, 0));
        return {};
    }));
    return newest;
}

std::string promptKind(std::string_view stage) {
    return fmt::format("prompt of {}", stage);
}
std::string replyKind(std::string_view stage) {
    return fmt::format("reply of {}", stage);
}
std::string inclusionsKind(std::string_view stage) {
    return fmt::format("inclusions of {}", stage);
}

} // namespace gks
