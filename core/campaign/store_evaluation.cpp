// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/store_evaluation.h"

#include "core/base/error_place.h"
#include "core/campaign/damage.h"
#include "core/campaign/kernel_rows.h"
#include "core/campaign/names.h"
#include "core/campaign/schema.h"
#include "core/campaign/shape_times.h"
#include "core/campaign/store.h"
#include "core/campaign/stored_json.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr const char* verdictColumn = "evaluation.verdict";
constexpr const char* nextOfDifference = "Restore a copy; show FILE.gks --check names all such kernels";

// A file of an earlier schema has the verdict in the row.
std::string verdictTable(std::int64_t schema) {
    return schema < framesVersion
               ? "evaluation e JOIN kernel k ON k.id = e.kernel"
               : "evaluation e JOIN kernel k ON k.id = e.kernel LEFT JOIN verdict v ON v.evaluation = e.id";
}
const char* verdictText(std::int64_t schema) {
    return schema < framesVersion ? "e.verdict" : "v.text";
}
const char* verdictKind(std::int64_t schema) {
    return schema < framesVersion ? "json_extract(e.verdict, '$.verdict')" : "e.kind";
}

// What a verdict is read from and checked against, of one evaluation: its text, of which kernel it is and with which it
// compares, and the columns that say what it says. In files of an earlier schema there are none of these.
std::string verdictColumns(std::int64_t schema) {
    const std::string columns = fmt::format(
        "{}, e.id, e.kernel, k.source, (SELECT b.source FROM kernel b WHERE b.id = e.baseline)", verdictText(schema));
    return schema < framesVersion ? columns
                                  : columns + ", e.kind, e.device, e.shapes, e.geomean_us, e.ratio, e.ratio_low, "
                                              "e.ratio_high, e.shape_times";
}

std::string placeOf(const Row& row, int first) {
    return evaluationPlace(row.integer(first + 2), row.integer(first + 1));
}

Result<void> otherThanItsRow(const Row& row, int first, std::string_view what) {
    return damaged(fmt::format("its verdict and its row differ: {}", what), placeOf(row, first), nextOfDifference);
}

// Numbers are kept to the last digit on both ways.
Result<void> checkFacts(const Database& database, ShapeTable& shapes, const Row& row, int first,
                        const Verdict& verdict) {
    const auto differs = [&](std::string_view what) { return otherThanItsRow(row, first, what); };
    if (row.text(first + 5) != name(verdict.kind)) {
        return differs("verdict");
    }
    if (row.text(first + 6) != verdict.device || row.text(first + 7) != verdict.conditions.shapes) {
        return differs("device or shapes");
    }
    if (row.real(first + 8) != verdict.geomeanUs) {
        return differs("time");
    }
    const auto& comparison = verdict.comparison;
    if (row.isNull(first + 9) == comparison.has_value() ||
        (comparison && (row.real(first + 9) != comparison->ratio ||
                        Interval{row.real(first + 10), row.real(first + 11)} != comparison->ci95))) {
        return differs("ratio");
    }
    GKS_TRY_ASSIGN(const auto times, unpackedShapeTimes(row.text(first + 12)));
    GKS_TRY_ASSIGN(const auto facts, shapes.measurements(database, times));
    const auto says = [](const MeasurementFact& inRow, const MeasurementFact& fact) {
        const bool isCompared = fact.ratio && fact.ratioCi95;
        return inRow.shape == fact.shape && inRow.medianUs == fact.medianUs && inRow.ci95Us == fact.ci95Us &&
               inRow.ratio.has_value() == isCompared &&
               (!isCompared || (inRow.ratio == fact.ratio && inRow.ratioCi95 == fact.ratioCi95));
    };
    return std::ranges::equal(facts, verdict.measurements, says) ? Result<void>() : differs("times of shapes");
}

// Of one evaluation, as the row of verdictColumns() has it: of this kernel's source and no other one. A verdict of an
// early version does not say of which source it is.
Result<Verdict> verdictOf(const Database& database, const TextFrames& frames, ShapeTable& shapes, std::int64_t schema,
                          const Row& row, int first) {
    const std::string place = placeOf(row, first);
    if (row.isNull(first)) {
        return damaged("its verdict is missing", place, nextOfDifference);
    }
    GKS_TRY_ASSIGN(const std::string text, within(place, frames.read(database, row, first, verdictColumn)));
    GKS_TRY_ASSIGN(const Json json, within(place, parseStoredJson(text, verdictColumn)));
    GKS_TRY_ASSIGN(Verdict verdict, within(place, verdictFromJson(json)));
    if (!verdict.kernelSha256.empty() && verdict.kernelSha256 != row.text(first + 3)) {
        return damaged("its verdict is of another source", place, nextOfDifference);
    }
    if (verdict.comparison && !verdict.comparison->baselineSha256.empty() && !row.isNull(first + 4) &&
        verdict.comparison->baselineSha256 != row.text(first + 4)) {
        return damaged("its verdict compares with another source than that of the kernel it names", place,
                       nextOfDifference);
    }
    if (schema >= framesVersion) {
        GKS_TRY(within(place, checkFacts(database, shapes, row, first, verdict)));
    }
    return verdict;
}

Result<std::optional<Kernel>> rowOf(const Database& database, std::int64_t schema, KernelId kernel) {
    std::optional<Kernel> row;
    GKS_TRY(readKernelRows(database, schema, {}, "WHERE k.id = ?", {kernel}, [&](Kernel read) -> Result<void> {
        row = std::move(read);
        return {};
    }));
    return row;
}

// SQLite has read the ratios of earlier schemas, to its own last digit.
constexpr double lastDigitsOfRatios = 1e-12;
bool isSameRatio(double a, double b) {
    return std::abs(a - b) <= lastDigitsOfRatios * std::abs(b);
}

Result<void> saysWhatNoneDoes(KernelId kernel) {
    return damaged("its row says what none of its verdicts does", "kernel " + kernelLabel(kernel), nextOfDifference);
}

bool isSameStep(const ComparisonFact& inRow, const ComparisonFact& fact) {
    return inRow.verdict == fact.verdict && isSameRatio(inRow.ratio, fact.ratio) &&
           isSameRatio(inRow.ci95.low, fact.ci95.low) && isSameRatio(inRow.ci95.high, fact.ci95.high) &&
           isSameRatio(inRow.ci99.low, fact.ci99.low) && isSameRatio(inRow.ci99.high, fact.ci99.high) &&
           inRow.baselineSha256 == fact.baselineSha256;
}

// What is ranked and shown of a kernel is what one of its verdicts says.
bool repeats(const Kernel& row, const Verdict& verdict) {
    const bool hasItsStep =
        !row.versusParent || (verdict.comparison && isSameStep(*row.versusParent, *verdict.comparison));
    const bool hasItsReason = row.state != KernelState::evaluated || row.reason == verdict.reason; // or a remark
    return hasItsStep && hasItsReason && row.verdict == verdict.kind && row.geomeanUs == verdict.geomeanUs &&
           row.geomeanCi95Us == verdict.geomeanCi95Us &&
           std::ranges::equal(row.shapeMediansUs, verdict.measurements, {}, {}, &MeasurementFact::medianUs);
}

} // namespace

std::string evaluationPlace(KernelId kernel, std::int64_t evaluation) {
    return fmt::format("kernel {}, evaluation {}", kernelLabel(kernel), evaluation);
}

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
    // Before the evaluations, which are only ever added: somebody may write beside this.
    GKS_TRY_ASSIGN(const std::optional<Kernel> row, rowOf(database, schema, kernel));
    std::vector<Evaluation> found;
    ShapeTable shapes;
    const std::string question = fmt::format("SELECT e.id, e.kernel, e.baseline, e.purpose, e.lane, e.started_at, "
                                             "e.ended_at, {} FROM {} WHERE e.kernel = ? ORDER BY e.id",
                                             verdictColumns(schema), verdictTable(schema));
    GKS_TRY(database.each(question.c_str(), {kernel}, [&](const Row& stored) -> Result<void> {
        Evaluation evaluation;
        evaluation.id = stored.integer(0);
        evaluation.kernel = stored.integer(1);
        evaluation.baseline = stored.optionalInteger(2);
        evaluation.purpose = stored.text(3);
        evaluation.lane = stored.text(4);
        evaluation.startedAt = stored.integer(5);
        evaluation.endedAt = stored.integer(6);
        GKS_TRY_ASSIGN(evaluation.verdict, verdictOf(database, frames, shapes, schema, stored, 7));
        found.push_back(std::move(evaluation));
        return {};
    }));
    const auto isRepeated = [&](const Evaluation& evaluation) { return repeats(*row, evaluation.verdict); };
    const bool saysSomething = row && (row->verdict || row->state == KernelState::evaluated);
    if (saysSomething && std::ranges::none_of(found, isRepeated)) {
        GKS_TRY(saysWhatNoneDoes(kernel));
    }
    return found;
}

bool isPaidEvaluation(const Evaluation& evaluation) {
    return evaluation.verdict.kind != VerdictKind::infrastructureFailed && countsAsEvaluation(evaluation.purpose);
}

Result<void> checkSummaryRows(const Database& database, KernelId first) {
    return database.each("SELECT k.id FROM kernel k WHERE k.id >= ?1 AND (k.verdict IS NOT NULL OR k.state = "
                         "'evaluated') AND NOT EXISTS (SELECT 1 "
                         "FROM evaluation e WHERE e.kernel = k.id AND e.kind = k.verdict AND e.geomean_us = "
                         "k.geomean_us AND (k.versus_ratio IS NULL OR abs(e.ratio - k.versus_ratio) <= ?2 * e.ratio)) "
                         "ORDER BY k.id LIMIT 1",
                         {first, lastDigitsOfRatios},
                         [&](const Row& row) -> Result<void> { return saysWhatNoneDoes(row.integer(0)); });
}

Result<std::optional<Verdict>> readNewestVerdict(const Database& database, const TextFrames& frames,
                                                 std::int64_t schema, KernelId kernel) {
    std::optional<Verdict> newest;
    ShapeTable shapes;
    // The kernel's own before one that stands beside it, as `ownRun` has it: the times are those of its summary.
    const std::string question = fmt::format(
        "SELECT {0} FROM {1} WHERE e.kernel = ?1 AND {2} <> 'infrastructure-failed' AND NOT (e.purpose = ?2 AND {2} IN "
        "({3}, 'timed-out')) ORDER BY (e.purpose IN (?3, ?4, ?5, ?6) AND {2} IN ({3})) OR (e.purpose = ?3 AND {2} = "
        "'timed-out'), e.id DESC LIMIT 1",
        verdictColumns(schema), verdictTable(schema), verdictKind(schema),
        "'correct', 'faster', 'slower', 'tie', 'undecided'");
    GKS_TRY(database.each(question.c_str(),
                          {kernel, askedOnAllPurpose, askedPurpose, confirmationPurpose, rankingPurpose, tunedPurpose},
                          [&](const Row& row) -> Result<void> {
                              GKS_TRY_ASSIGN(newest, verdictOf(database, frames, shapes, schema, row, 0));
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
