// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/champions.h"

#include "core/base/text.h"
#include "core/campaign/rules.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

// The champion of a shape is the accepted kernel with the highest speed on the shape's scale. It is decided against
// another one when the 99 % interval of the ratio of the two lies on one side of 1, which is also how the best is
// decided; the two need not have met in one run.
//
// The dispatch of all champions: errors of the shapes' scales go together, as the same runs made them, and nobody knows
// how much. The standard deviation of a mean is never above the mean of the standard deviations, so the geometric means
// of the lower and of the upper ends bound it whatever they have in common.
namespace gks {
namespace {

constexpr std::size_t mostRivals = 20; // that are looked for: who stands behind so many is nobody's question
constexpr std::size_t namedRivals = 2;

struct Candidate {
    KernelId kernel = 0;
    double speed = 0;
};

std::vector<Candidate> fastestFirst(const Population& population, const SpeedScale& scale) {
    std::vector<Candidate> candidates;
    for (const Kernel& kernel : population.kernels) {
        if (const auto speed = isMeasured(kernel) ? scale.speed(kernel.id) : std::nullopt) {
            candidates.push_back({kernel.id, speed->ratio});
        }
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.speed > b.speed; });
    return candidates;
}

class GeometricMean {
public:
    void add(const SpeedRatio& one, double weight) {
        if (weight <= 0) {
            return;
        }
        m_ratio += weight * std::log(one.ratio);
        m_ci95 = {m_ci95.low + weight * std::log(one.ci95.low), m_ci95.high + weight * std::log(one.ci95.high)};
        m_ci99 = {m_ci99.low + weight * std::log(one.ci99.low), m_ci99.high + weight * std::log(one.ci99.high)};
        m_weight += weight;
        ++m_count;
    }
    std::size_t count() const { return m_count; }
    std::optional<SpeedRatio> mean() const {
        if (m_count == 0) {
            return std::nullopt;
        }
        return SpeedRatio{mean(m_ratio), {mean(m_ci95.low), mean(m_ci95.high)}, {mean(m_ci99.low), mean(m_ci99.high)}};
    }

private:
    double mean(double sum) const { return std::exp(sum / m_weight); }

    std::size_t m_count = 0;
    double m_weight = 0;
    double m_ratio = 0; // sums of logarithms by weight
    Interval m_ci95;
    Interval m_ci99;
};

} // namespace

Champions championsOf(const Population& population) {
    Champions champions;
    if (population.shapeScales == nullptr) {
        return champions;
    }
    GeometricMean overBest;
    for (const auto& [shape, scale] : population.shapeScales->shapes()) {
        const std::vector<Candidate> candidates = fastestFirst(population, scale);
        if (candidates.size() < 2) { // the baseline alone is on every scale: no ratio speaks of this shape
            continue;
        }
        ShapeChampion champion = {shape, candidates.front().kernel};
        champion.speed = scale.speed(champion.kernel).value_or(SpeedRatio());
        for (std::size_t at = 1; at < std::min(candidates.size(), mostRivals + 1); ++at) {
            const auto ratio = scale.ratio(champion.kernel, candidates[at].kernel);
            if (ratio && !gks::isDecided(*ratio)) {
                champion.rivals.push_back(candidates[at].kernel);
            }
        }
        if (population.best) {
            champion.best = scale.speed(*population.best);
            champion.overBest = scale.ratio(champion.kernel, *population.best);
        }
        if (champion.overBest) {
            overBest.add(*champion.overBest, weightOf(population.settings.shapeWeights, shape));
        }
        champions.shapes.push_back(std::move(champion));
    }
    champions.dispatch = overBest.mean();
    champions.dispatched = overBest.count();
    return champions;
}

const ShapeChampion* Champions::of(const std::map<std::string, std::int64_t>& shape) const {
    const auto found =
        std::find_if(shapes.begin(), shapes.end(), [&](const ShapeChampion& one) { return one.shape == shape; });
    return found == shapes.end() ? nullptr : &*found;
}

std::vector<const ShapeChampion*> Champions::wonBy(KernelId kernel) const {
    std::vector<const ShapeChampion*> won;
    for (const ShapeChampion& one : shapes) {
        if (one.kernel == kernel) {
            won.push_back(&one);
        }
    }
    return won;
}

std::string championText(const ShapeChampion& champion) {
    std::vector<std::string> names = {kernelLabel(champion.kernel)};
    const std::size_t named = std::min(champion.rivals.size(), namedRivals);
    for (std::size_t at = 0; at < named; ++at) {
        names.push_back(kernelLabel(champion.rivals[at]));
    }
    if (champion.isDecided()) {
        return names.front();
    }
    std::string last = names.back();
    if (champion.rivals.size() > named) {
        last = fmt::format("{} more", champion.rivals.size() - named);
    } else {
        names.pop_back();
    }
    return fmt::format("{} or {}: not decided", join(names, ", "), last);
}

} // namespace gks
