// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/quantity.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

// How much a shape counts where kernels are ranked, and the one mean that goes by it.
namespace gks {

using ShapeExtents = std::map<std::string, std::int64_t>; // by dim
using ShapeWeights = std::map<ShapeExtents, double>;      // what is not named has 1

double weightOf(const ShapeWeights& weights, const ShapeExtents& shape);

// What is known of one shape: a ratio or a time, with its 95 % interval.
struct WeightedValue {
    double value = 0;
    Interval ci95 = {};
    double weight = 1;
};
struct MeanValue {
    double value = 0;
    Interval ci95 = {};
    bool operator==(const MeanValue&) const = default;
};
// The geometric mean in which each value counts as often as its weight says; `plain` is the mean in which all count the
// same, as the judge made it, and is returned where all weights are equal. Nothing where no value has a weight, or one
// that has is not known.
std::optional<MeanValue> weightedMean(std::span<const WeightedValue> values, const MeanValue& plain);

} // namespace gks
