// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/shape_times.h"

#include "core/campaign/damage.h"
#include "core/campaign/stored_json.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace gks {
namespace {

// Little-endian doubles one after the other, the shape's row as one of them: exact up to 2^53.
constexpr std::size_t valuesOfShape = 7;
using ShapeValues = std::array<double, valuesOfShape>;

constexpr const char* whereShapeTimes = "evaluation.shape_times";

} // namespace

Result<std::string> packedShapeTimes(Database& database, const std::vector<MeasurementFact>& measurements) {
    std::string bytes;
    for (const MeasurementFact& fact : measurements) {
        const std::string extents = storedJson(Json(fact.shape));
        GKS_TRY(database.run("INSERT OR IGNORE INTO shape (extents) VALUES (?)", {extents}));
        GKS_TRY_ASSIGN(const auto shape, database.integer("SELECT id FROM shape WHERE extents = ?", {extents}));
        const double ratio = fact.ratio && fact.ratioCi95 ? *fact.ratio : std::numeric_limits<double>::quiet_NaN();
        const Interval ratioCi95 = fact.ratioCi95.value_or(Interval());
        const ShapeValues values = {static_cast<double>(shape.value_or(0)),
                                    fact.medianUs,
                                    fact.ci95Us.low,
                                    fact.ci95Us.high,
                                    ratio,
                                    ratioCi95.low,
                                    ratioCi95.high};
        bytes.append(reinterpret_cast<const char*>(values.data()), sizeof values);
    }
    return bytes;
}

Result<std::vector<ShapeTime>> unpackedShapeTimes(std::string_view bytes) {
    if (bytes.size() % sizeof(ShapeValues) != 0) {
        return damaged("times cut short", whereShapeTimes);
    }
    std::vector<ShapeTime> times(bytes.size() / sizeof(ShapeValues));
    for (std::size_t i = 0; i < times.size(); ++i) {
        ShapeValues values = {};
        std::memcpy(values.data(), bytes.data() + i * sizeof values, sizeof values);
        if (!(values[0] >= 0 && values[0] <= std::numeric_limits<std::uint32_t>::max())) {
            return damaged("no such shape", whereShapeTimes);
        }
        times[i] = {static_cast<std::int64_t>(values[0]), values[1], {values[2], values[3]}, {}, {}};
        if (!std::isnan(values[4])) {
            times[i].ratio = values[4];
            times[i].ratioCi95 = {values[5], values[6]};
        }
    }
    return times;
}

Result<const ShapeExtents*> ShapeTable::shape(const Database& database, std::int64_t id) {
    if (const auto known = m_known.find(id); known != m_known.end()) {
        return &known->second;
    }
    std::optional<ShapeExtents> extents;
    GKS_TRY(database.each("SELECT extents FROM shape WHERE id = ?", {id}, [&](const Row& row) -> Result<void> {
        GKS_TRY_ASSIGN(extents, readStoredJson<ShapeExtents>(row.text(0), "shape.extents"));
        return {};
    }));
    if (!extents) {
        return damaged("no such shape", whereShapeTimes);
    }
    return &m_known.emplace(id, std::move(*extents)).first->second;
}

Result<std::vector<MeasurementFact>> ShapeTable::measurements(const Database& database,
                                                              const std::vector<ShapeTime>& times) {
    std::vector<MeasurementFact> facts;
    for (const ShapeTime& time : times) {
        GKS_TRY_ASSIGN(const ShapeExtents* extents, shape(database, time.shape));
        MeasurementFact& fact = facts.emplace_back();
        fact.shape = *extents;
        fact.medianUs = time.medianUs;
        fact.ci95Us = time.ci95Us;
        fact.ratio = time.ratio;
        fact.ratioCi95 = time.ratio ? std::optional(time.ratioCi95) : std::nullopt;
    }
    return facts;
}

} // namespace gks
