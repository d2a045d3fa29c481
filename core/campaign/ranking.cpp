// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/ranking.h"

#include "core/base/text.h"
#include "core/campaign/rules.h"
#include "core/problem/shape_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gks {
namespace {

// A kernel that no paired run speaks of may be measured beside the best when its time alone is not more than this
// multiple of the best's: loads differ, but not by more.
constexpr double farBehind = 2;

// What may be the best, on the scale or not. The baseline is none: the confirmation measures the best beside it.
bool isCandidate(const Population& population, const Kernel& kernel, const Kernel& best) {
    if (!isMeasured(kernel)) {
        return false;
    }
    const SpeedRatio* speed = population.speed(kernel);
    return speed != nullptr ? speed->ci99.high > 1 : kernel.geomeanUs < farBehind * best.geomeanUs;
}

} // namespace

std::optional<PairedComparison> comparisonOf(const Evaluation& evaluation, const ShapeWeights& weights) {
    const Verdict& verdict = evaluation.verdict;
    if (!evaluation.baseline || !verdict.comparison || !isAccepted(verdict.kind)) {
        return std::nullopt;
    }
    std::optional<MeanValue> mean = MeanValue{verdict.comparison->ratio, verdict.comparison->ci95};
    if (!weights.empty()) {
        std::vector<WeightedValue> shapes;
        for (const MeasurementFact& fact : verdict.measurements) {
            shapes.push_back(
                {fact.ratio.value_or(0), fact.ratioCi95.value_or(Interval()), weightOf(weights, fact.shape)});
        }
        mean = weightedMean(shapes, *mean);
    }
    if (!mean) {
        return std::nullopt;
    }
    return PairedComparison{evaluation.id, evaluation.kernel, *evaluation.baseline,
                            mean->value,   mean->ci95,        verdict.device + ", " + verdict.conditions.shapes};
}

void weigh(Kernel& kernel, const std::vector<MeasurementFact>& measurements, const ShapeWeights& weights) {
    if (kernel.geomeanUs <= 0) {
        return;
    }
    std::vector<WeightedValue> shapes;
    for (const MeasurementFact& fact : measurements) {
        shapes.push_back({fact.medianUs, fact.ci95Us, weightOf(weights, fact.shape)});
    }
    if (const auto mean = weightedMean(shapes, {kernel.geomeanUs, kernel.geomeanCi95Us})) {
        kernel.geomeanUs = mean->value;
        kernel.geomeanCi95Us = mean->ci95;
    }
}

std::string meanName(const CampaignSettings& settings) {
    return settings.shapeWeights.empty() ? "geometric mean" : "weighted geometric mean";
}

std::string weightsText(const ShapeWeights& weights) {
    std::vector<std::string> parts;
    for (const auto& [shape, weight] : weights) {
        parts.push_back(fmt::format("{}: {}", namedShapeText(shape), formatSignificant(weight)));
    }
    return parts.empty() ? "every shape 1" : join(parts, ", ");
}

bool isFaster(const Kernel& kernel, const SpeedRatio* speed, const Kernel& other, const SpeedRatio* otherSpeed) {
    if (speed == nullptr || otherSpeed == nullptr) {
        return speed != nullptr || (otherSpeed == nullptr && kernel.geomeanUs < other.geomeanUs);
    }
    return speed->ratio > otherSpeed->ratio;
}

bool isFaster(const Population& population, const Kernel& kernel, const Kernel& other) {
    return isFaster(kernel, population.speed(kernel), other, population.speed(other));
}

double logSpeedup(const Population& population, const Kernel& kernel, const Kernel& over) {
    const SpeedRatio* speed = population.speed(kernel);
    const SpeedRatio* speedOver = population.speed(over);
    if (speed != nullptr && speedOver != nullptr) {
        return std::log(speed->ratio / speedOver->ratio);
    }
    const bool alone = speed == nullptr && speedOver == nullptr && kernel.geomeanUs > 0 && over.geomeanUs > 0;
    return alone ? std::log(over.geomeanUs / kernel.geomeanUs) : 0;
}

double scaledUs(const Population& population, const Kernel& kernel) {
    const Kernel* baseline = population.baseline ? population.kernel(*population.baseline) : nullptr;
    const SpeedRatio* speed = population.speed(kernel);
    return baseline != nullptr && speed != nullptr ? baseline->geomeanUs / speed->ratio : 0;
}

std::string scaledSpeedText(const Population& population, const Kernel& kernel) {
    if (!isMeasured(kernel)) {
        return "-";
    }
    const SpeedRatio* speed = population.speed(kernel);
    return speed != nullptr ? speedText(*speed) : "not compared";
}

std::optional<SpeedRatio> directRatio(const Population& population, KernelId kernel, KernelId other) {
    const auto isOfBoth = [&](const PairedComparison& one) {
        return (one.kernel == kernel && one.other == other) || (one.kernel == other && one.other == kernel);
    };
    const auto& all = population.comparisons;
    const auto found = std::find_if(all.rbegin(), all.rend(), isOfBoth);
    if (found == all.rend() || !(found->ci95.low > 0) || !(found->ratio > 0)) {
        return std::nullopt;
    }
    const bool isTurned = found->kernel == other;
    const auto turned = [&](double ratio) { return isTurned ? 1 / ratio : ratio; };
    SpeedRatio direct;
    direct.ratio = turned(found->ratio);
    direct.ci95 = isTurned ? Interval{turned(found->ci95.high), turned(found->ci95.low)} : found->ci95;
    direct.ci99 = {direct.ratio * std::pow(direct.ci95.low / direct.ratio, ci99OfCi95),
                   direct.ratio * std::pow(direct.ci95.high / direct.ratio, ci99OfCi95)};
    return direct;
}

std::optional<ComparisonWish> nextComparison(const Population& population) {
    const Kernel* best = population.best ? population.kernel(*population.best) : nullptr;
    if (best == nullptr || population.scale == nullptr) {
        return std::nullopt;
    }
    Contest contest;
    contest.tieMarginPercent = population.settings.tieMarginPercent;
    for (const Kernel& kernel : population.kernels) {
        if (isCandidate(population, kernel, *best)) {
            contest.candidates.push_back(kernel.id);
        }
    }
    auto wish = nextComparison(*population.scale, contest);
    if (!wish || (best->id == population.baseline && wish->reason != ComparisonReason::notCompared)) {
        return std::nullopt; // who comes second to the baseline is nobody's question
    }
    // A scale may hang on a baseline that is not accepted any more: nothing is measured against that.
    const Kernel* other = population.kernel(wish->other);
    return other != nullptr && isMeasured(*other) ? wish : std::nullopt;
}

} // namespace gks
