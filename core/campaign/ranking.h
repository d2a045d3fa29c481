// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/types.h"
#include "core/rating/next_comparison.h"

#include <optional>
#include <string>

// Which kernel is the faster one: asked here by everybody who ranks. Paired runs decide (core/rating); a time by itself
// depends on the load of its evaluation.
namespace gks {

// What an evaluation adds to the campaign's scale: the judge's ratio, with weights that of the weighted mean of its
// shapes. Nothing where a shape that has a weight was not compared.
std::optional<PairedComparison> comparisonOf(const Evaluation& evaluation, const ShapeWeights& weights = {});
// The kernel's time alone by these weights, from the shapes of its verdict.
void weigh(Kernel& kernel, const std::vector<MeasurementFact>& measurements, const ShapeWeights& weights);

// "geometric mean", "weighted geometric mean": wherever a mean that ranks is named.
std::string meanName(const CampaignSettings& settings);
// "m=64 n=128: 4, m=7 n=9: 0"; "every shape 1".
std::string weightsText(const ShapeWeights& weights);

// By the campaign's scale. A kernel that is not on it stands behind those that are; among such, times alone decide.
bool isFaster(const Population& population, const Kernel& kernel, const Kernel& other);
// The same of speeds that are at hand; null: not on the scale.
bool isFaster(const Kernel& kernel, const SpeedRatio* speed, const Kernel& other, const SpeedRatio* otherSpeed);
// ln(speed / speed of the other one), from the same. 0 where one is on the scale and the other is not: not known.
double logSpeedup(const Population& population, const Kernel& kernel, const Kernel& over);

// The time of the baseline / the kernel's speed: a time as the kernel would have had it beside the baseline's. 0: it
// was not compared.
double scaledUs(const Population& population, const Kernel& kernel);

// "1.31x [1.29, 1.33]", "1.35x, not decided (99 %: 0.996 to 1.84)", "not compared"; "-" for what was not measured.
std::string scaledSpeedText(const Population& population, const Kernel& kernel);

inline constexpr double ci99OfCi95 = 2.576 / 1.960; // widths on a logarithmic scale, of a normal distribution
// Speed / speed of the other one as the newest run that measured the two beside each other has it; nothing where none
// did. A run keeps its 95 % interval alone: the one that decides is that of a normal distribution.
std::optional<SpeedRatio> directRatio(const Population& population, KernelId kernel, KernelId other);

// The comparison that decides most who is the best: the first three are measured side by side, then what is open.
std::optional<ComparisonWish> nextComparison(const Population& population);

} // namespace gks
