// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/database.h"
#include "core/judge/verdict.h"
#include "core/rating/shape_runs.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gks {

// What an evaluation says of one shape, beside its verdict: enough to rank by without reading the verdict.
struct ShapeTime {
    std::int64_t shape = 0; // row of the table of shapes
    double medianUs = 0;
    Interval ci95Us = {};
    std::optional<double> ratio = {}; // baseline / candidate; with an interval or not at all
    Interval ratioCi95 = {};
};

// As the column evaluation.shape_times holds them; shapes that the campaign's table lacks are added to it.
Result<std::string> packedShapeTimes(Database& database, const std::vector<MeasurementFact>& measurements);
Result<std::vector<ShapeTime>> unpackedShapeTimes(std::string_view bytes);

// The campaign's table of shapes, read as its rows are asked for.
class ShapeTable {
public:
    Result<const ShapeExtents*> shape(const Database& database, std::int64_t id);
    Result<std::vector<MeasurementFact>> measurements(const Database& database, const std::vector<ShapeTime>& times);

private:
    std::map<std::int64_t, ShapeExtents> m_known;
};

} // namespace gks
