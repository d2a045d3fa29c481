// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/kernel_rows.h"

#include "core/base/error_place.h"
#include "core/base/text.h"
#include "core/campaign/limits.h"
#include "core/campaign/names.h"
#include "core/campaign/ranking.h"
#include "core/campaign/row_checks.h"
#include "core/campaign/schema.h"
#include "core/campaign/schema_frames.h"
#include "core/campaign/shape_times.h"
#include "core/campaign/stored_json.h"

namespace gks {
namespace {

constexpr int firstVersusColumn = 22;
constexpr int measurementsColumn = firstVersusColumn + static_cast<int>(versusOfJson.size());

std::string kernelColumns(std::int64_t schema) {
    std::string columns =
        "SELECT k.id, k.parents, k.reference, k.experiment, k.title, k.author, k.source, k.normalized_sha256, "
        "k.banned, (SELECT count(*) FROM evaluation e WHERE e.kernel = k.id), k.created_at, k.state, k.verdict, "
        "k.reason, k.geomean_us, k.geomean_low_us, k.geomean_high_us, k.shape_medians_us, k.model, ";
    columns += schema < writersVersion ? "'', 0.0, 0.0" : "k.writer, k.draft_usd, k.draft_seconds";
    for (const auto& [column, expression] : versusOfJson) {
        columns += std::string(", ") + (schema < framesVersion ? expression : column);
    }
    return columns;
}

// Of the evaluation that its time is of. Read where shapes have weights alone.
std::string measurementsOf(std::int64_t schema) {
    const char* measurements = schema < framesVersion ? "json_extract(e.verdict, '$.measurements')" : "e.shape_times";
    const char* geomeanUs = schema < framesVersion
                                ? "json_valid(e.verdict) AND abs(json_extract(e.verdict, '$.geomean_us')"
                                : "abs(e.geomean_us";
    return std::string(", (SELECT ") + measurements + " FROM evaluation e WHERE e.kernel = k.id AND " + geomeanUs +
           " - k.geomean_us) <= 1e-9 * k.geomean_us ORDER BY e.id DESC LIMIT 1)";
}

Result<std::optional<ComparisonFact>> versusParentFrom(const Row& row) {
    if (row.isNull(firstVersusColumn) || row.isNull(firstVersusColumn + 1)) {
        return std::nullopt;
    }
    ComparisonFact fact;
    GKS_TRY_ASSIGN(fact.verdict, verdictKindFromName(row.text(firstVersusColumn)));
    fact.ratio = row.real(firstVersusColumn + 1);
    fact.ci95 = {row.real(firstVersusColumn + 2), row.real(firstVersusColumn + 3)};
    fact.ci99 = {row.real(firstVersusColumn + 4), row.real(firstVersusColumn + 5)};
    fact.baselineSha256 = row.text(firstVersusColumn + 6);
    return fact;
}

Result<Kernel> kernelFrom(const Row& row) {
    Kernel kernel;
    kernel.id = row.integer(0);
    GKS_TRY_ASSIGN(kernel.parents, readStoredNumbers<KernelId>(row.text(1), "kernel.parents"));
    if (kernel.parents.size() > limits::parents) {
        return damagedColumn("too many parents", "kernel.parents");
    }
    kernel.reference = row.optionalInteger(2);
    kernel.experiment = row.optionalInteger(3);
    kernel.title = abbreviated(row.text(4), limits::readTitleBytes); // a line in lists, whoever wrote the file
    GKS_TRY_ASSIGN(kernel.author, authorFromName(row.text(5)));
    kernel.sourceSha256 = row.text(6);
    kernel.normalizedSha256 = row.text(7);
    kernel.banned = row.flag(8);
    kernel.evaluations = row.integer(9);
    kernel.createdAt = row.integer(10);
    GKS_TRY_ASSIGN(kernel.state, kernelStateFromName(row.text(11)));
    if (!row.isNull(12)) {
        GKS_TRY_ASSIGN(kernel.verdict, verdictKindFromName(row.text(12)));
    }
    kernel.reason = row.text(13);
    kernel.geomeanUs = row.real(14);
    kernel.geomeanCi95Us = {row.real(15), row.real(16)};
    GKS_TRY_ASSIGN(kernel.shapeMediansUs, readStoredNumbers<double>(row.text(17), "kernel.shape_medians_us"));
    kernel.model = row.text(18);
    kernel.writer = row.text(19);
    kernel.draftUsd = row.real(20);
    kernel.draftSeconds = row.real(21);
    GKS_TRY_ASSIGN(kernel.versusParent, versusParentFrom(row));
    return kernel;
}

} // namespace

Result<void> readKernelRows(const Database& database, std::int64_t schema, const ShapeWeights& weights,
                            const std::string& where, std::initializer_list<Value> values,
                            const std::function<Result<void>(Kernel)>& take) {
    ShapeTable shapes;
    const std::string question = kernelColumns(schema) + (weights.empty() ? ", NULL" : measurementsOf(schema)) +
                                 (schema < writersVersion ? ", 0" : ", k.probe") +
                                 (schema < sketchVersion ? ", NULL" : ", k.sketch") + " FROM kernel k " + where;
    return database.each(question.c_str(), values, [&](const Row& row) -> Result<void> {
        GKS_TRY_ASSIGN(Kernel kernel, within("kernel " + kernelLabel(row.integer(0)), kernelFrom(row)));
        kernel.probe = row.flag(measurementsColumn + 1);
        GKS_TRY(checkNumbers(kernel));
        kernel.sketch = unpackedSketch(row.text(measurementsColumn + 2)); // one of another length is none
        if (row.isBlob(measurementsColumn)) {
            GKS_TRY_ASSIGN(const auto times, unpackedShapeTimes(row.text(measurementsColumn)));
            GKS_TRY_ASSIGN(const auto measurements, shapes.measurements(database, times));
            weigh(kernel, measurements, weights);
        } else if (!row.isNull(measurementsColumn)) {
            GKS_TRY_ASSIGN(const Json json, parseJson(row.text(measurementsColumn), "evaluation.verdict"));
            GKS_TRY_ASSIGN(const auto measurements, measurementsFromJson(json));
            weigh(kernel, measurements, weights);
        }
        return take(std::move(kernel));
    });
}

} // namespace gks
