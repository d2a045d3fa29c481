// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/comparison_rows.h"

#include "core/campaign/ranking.h"
#include "core/campaign/row_checks.h"
#include "core/campaign/rules.h"
#include "core/campaign/schema.h"
#include "core/campaign/stored_json.h"

namespace gks {
namespace {

constexpr const char* comparisonColumns =
    "SELECT id, kernel, baseline, kind, ratio, ratio_low, ratio_high, device, shapes, shape_times FROM evaluation "
    "WHERE id > ? AND baseline IS NOT NULL ORDER BY id";
constexpr const char* comparisonColumnsOfJson =
    "SELECT id, kernel, baseline, json_extract(verdict, '$.verdict'), json_extract(verdict, '$.comparison.ratio'), "
    "json_extract(verdict, '$.comparison.ci95[0]'), json_extract(verdict, '$.comparison.ci95[1]'), "
    "json_extract(verdict, '$.device'), json_extract(verdict, '$.conditions.shapes'), "
    "json_extract(verdict, '$.measurements') FROM evaluation "
    "WHERE id > ? AND baseline IS NOT NULL AND json_valid(verdict) ORDER BY id";

Evaluation evaluationFrom(const Row& row) {
    Evaluation evaluation;
    evaluation.id = row.integer(0);
    evaluation.kernel = row.integer(1);
    evaluation.baseline = row.optionalInteger(2);
    evaluation.verdict.kind = verdictKindFromName(row.text(3)).value_or(VerdictKind::infrastructureFailed);
    evaluation.verdict.device = row.text(7);
    evaluation.verdict.conditions.shapes = row.text(8);
    if (!row.isNull(4)) {
        evaluation.verdict.comparison.emplace();
        evaluation.verdict.comparison->ratio = row.real(4);
        evaluation.verdict.comparison->ci95 = {row.real(5), row.real(6)};
    }
    return evaluation;
}

} // namespace

Result<void> ComparisonRows::readNew(const Database& database, std::int64_t schema, Population& population) {
    const bool isJson = schema < framesVersion;
    const bool areWeighted = !population.settings.shapeWeights.empty();
    return database.each(isJson ? comparisonColumnsOfJson : comparisonColumns, {m_newestEvaluation},
                         [&](const Row& row) -> Result<void> {
                             m_newestEvaluation = row.integer(0);
                             Evaluation evaluation = evaluationFrom(row);
                             if (!checkNumbers(evaluation)) {
                                 return {};
                             }
                             auto& measurements = evaluation.verdict.measurements;
                             if (isJson) {
                                 if (const auto json = parseJson(row.text(9), "evaluation.verdict")) {
                                     measurements =
                                         measurementsFromJson(*json).value_or(std::vector<MeasurementFact>());
                                 }
                                 take(evaluation, population, ofShapes(measurements));
                                 return {};
                             }
                             GKS_TRY_ASSIGN(const auto times, unpackedShapeTimes(row.text(9)));
                             if (!checkNumbers(times, evaluation.id)) {
                                 return {};
                             }
                             if (areWeighted) {
                                 GKS_TRY_ASSIGN(measurements, m_shapes.measurements(database, times));
                             }
                             GKS_TRY_ASSIGN(const auto compared, ofShapes(database, times));
                             take(evaluation, population, compared);
                             return {};
                         });
}

// Where a shape was measured is the device alone: it is the same shape in whatever choice of shapes it was measured.
void ComparisonRows::take(Evaluation& evaluation, Population& population,
                          const std::vector<ShapeRuns::OfShape>& ofShapes) {
    const Verdict& verdict = evaluation.verdict;
    if (auto comparison = comparisonOf(evaluation, population.settings.shapeWeights)) {
        population.comparisons.push_back(std::move(*comparison));
    }
    if (isAccepted(verdict.kind)) {
        m_shapeRuns.add({evaluation.id, evaluation.kernel, *evaluation.baseline, 1, {1, 1}, verdict.device}, ofShapes);
    }
}

Result<std::vector<ShapeRuns::OfShape>> ComparisonRows::ofShapes(const Database& database,
                                                                 const std::vector<ShapeTime>& times) {
    std::vector<ShapeRuns::OfShape> found;
    for (const ShapeTime& time : times) {
        if (!time.ratio) {
            continue;
        }
        auto place = m_places.find(time.shape);
        if (place == m_places.end()) {
            GKS_TRY_ASSIGN(const ShapeExtents* extents, m_shapes.shape(database, time.shape));
            place = m_places.emplace(time.shape, m_shapeRuns.placeOf(*extents)).first;
        }
        found.push_back({place->second, *time.ratio, time.ratioCi95});
    }
    return found;
}

std::vector<ShapeRuns::OfShape> ComparisonRows::ofShapes(const std::vector<MeasurementFact>& measurements) {
    std::vector<ShapeRuns::OfShape> found;
    for (const MeasurementFact& fact : measurements) {
        if (fact.ratio && fact.ratioCi95) {
            found.push_back({m_shapeRuns.placeOf(fact.shape), *fact.ratio, *fact.ratioCi95});
        }
    }
    return found;
}

} // namespace gks
