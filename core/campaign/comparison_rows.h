// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/shape_times.h"
#include "core/campaign/types.h"
#include "core/rating/shape_runs.h"

namespace gks {

// What the evaluations of a campaign compare, read once each: they are only ever added.
class ComparisonRows {
public:
    // Those that are new go to population.comparisons; its weights decide what a comparison says. Of a verdict no more
    // is read than what a comparison needs, and one that is damaged is not compared: what opens it says so.
    Result<void> readNew(const Database& database, std::int64_t schema, Population& population);
    const ShapeRuns& shapeRuns() const { return m_shapeRuns; } // of the same evaluations

private:
    void take(Evaluation& evaluation, Population& population, const std::vector<ShapeRuns::OfShape>& ofShapes);
    Result<std::vector<ShapeRuns::OfShape>> ofShapes(const Database& database, const std::vector<ShapeTime>& times);
    std::vector<ShapeRuns::OfShape> ofShapes(const std::vector<MeasurementFact>& measurements);

    std::int64_t m_newestEvaluation = 0; // that was looked at
    ShapeTable m_shapes;
    ShapeRuns m_shapeRuns;
    std::map<std::int64_t, std::uint32_t> m_places; // in the runs, by row of the table
};

} // namespace gks
