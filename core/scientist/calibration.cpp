// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/calibration.h"

#include "core/base/quantity.h"
#include "core/campaign/limits.h"
#include "core/campaign/model_stages.h"
#include "core/judge/evaluator/statistics/statistics.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

// A designer predicts a range of gain for each experiment; some of them are measured. Three things are said of who
// predicts. Coverage: the share of results inside the range, with Wilson's interval (E. B. Wilson, 1927), which is
// right for few results and near 0 and 1. Bias: the mean of measured minus middle, with the interval of Student's t
// (Abramowitz and Stegun 26.7.5). Width: ranges that hold everything because they are wide are worth nothing. Gains are
// ratios, so all of it is reckoned with their logarithms: 2x is as far above 1x as 0.5x is below.
//
// The correction moves and scales a range so that it should hold `meantCoverage` of the results:
//   shift    = bias * n / (n + 5)
//   widening = q ^ (n / (n + 5)), q the ceil(0.8 (n + 1))-th smallest of |measured - middle - shift| / half width
// The second is the quantile of normalised conformal prediction (Lei and others, "Distribution-Free Predictive
// Inference for Regression", JASA 2018), which asks nothing of the distribution. The weight n / (n + 5) shrinks both
// towards no correction, as if five predictions had been right before: three results must not turn a designer's ranges
// round. Cost: one pass over the experiments and a sort for each row.
namespace gks {
namespace {

constexpr double priorCount = 5;
constexpr double leastHalfWidth = 0.005; // of logarithms: a range without width would make every scale infinite
constexpr double leastWidening = 0.25;
constexpr double mostWidening = 8;

double middle(const Interval& range) {
    return (range.low + range.high) / 2;
}
double halfWidth(const Interval& range) {
    return std::max((range.high - range.low) / 2, leastHalfWidth);
}
// The file is a stranger's: a gain that is none counts as the nearest one.
double logarithm(double gain) {
    return std::log(std::clamp(gain, limits::predictedGain.low, limits::predictedGain.high));
}
Interval logarithms(const Interval& gain) {
    return {logarithm(gain.low), logarithm(gain.high)};
}
double gainFrom(double logarithm) {
    return std::clamp(std::exp(logarithm), limits::predictedGain.low, limits::predictedGain.high);
}
// A designer may have written the ends in the wrong order.
Interval ordered(const Interval& range) {
    return {std::min(range.low, range.high), std::max(range.low, range.high)};
}

std::string writerOf(const Kernel& kernel) {
    return kernel.author == Author::model ? (kernel.model.empty() ? "model" : kernel.model)
                                          : std::string(name(kernel.author));
}

Interval wilson(int inside, int count) {
    const double n = count;
    const double share = inside / n;
    const double centre = (share + z95 * z95 / (2 * n)) / (1 + z95 * z95 / n);
    const double half = z95 / (1 + z95 * z95 / n) * std::sqrt(share * (1 - share) / n + z95 * z95 / (4 * n * n));
    return {std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

double studentT95(double freedom) {
    if (freedom < 2) {
        return 12.706;
    }
    const double z = z95;
    const double z2 = z * z;
    const double first = z * (z2 + 1) / 4;
    const double second = z * ((5 * z2 + 16) * z2 + 3) / 96;
    const double third = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
    return z + first / freedom + second / (freedom * freedom) + third / (freedom * freedom * freedom);
}

CalibrationRow summarised(std::string stage, std::string model, const std::vector<const CalibrationPoint*>& points) {
    CalibrationRow row;
    row.stage = std::move(stage);
    row.model = std::move(model);
    row.count = static_cast<int>(points.size());
    const double n = row.count;
    double bias = 0;
    double width = 0;
    std::vector<double> misses; // measured minus middle
    for (const CalibrationPoint* point : points) {
        const Interval range = logarithms(point->predicted);
        row.inside += point->inside() ? 1 : 0;
        misses.push_back(logarithm(point->measured) - middle(range));
        bias += misses.back() / n;
        width += (range.high - range.low) / n;
    }
    row.bias = std::exp(bias);
    row.meanWidth = std::exp(width);
    row.coverage = row.inside / n;
    row.coverageCi95 = wilson(row.inside, row.count);
    if (row.count > 1) {
        double squares = 0;
        for (const double miss : misses) {
            squares += std::pow(miss - bias, 2);
        }
        const double half = studentT95(n - 1) * std::sqrt(squares / (n - 1) / n);
        row.biasCi95 = Interval{std::exp(bias - half), std::exp(bias + half)};
    }
    const double weight = n / (n + priorCount);
    row.shift = std::exp(weight * bias);
    std::vector<double> scales;
    for (std::size_t i = 0; i < points.size(); ++i) {
        scales.push_back(std::abs(misses[i] - weight * bias) / halfWidth(logarithms(points[i]->predicted)));
    }
    std::sort(scales.begin(), scales.end());
    const auto rank = static_cast<std::size_t>(std::ceil(meantCoverage * (n + 1)));
    const double scale = std::clamp(scales[std::min(rank, scales.size()) - 1], leastWidening, mostWidening);
    row.widening = std::pow(scale, weight);
    return row;
}

const CalibrationRow* designerRow(const std::vector<CalibrationRow>& rows, const std::string& designer) {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const CalibrationRow& row) {
        return row.stage == name(ModelStage::designer) && row.model == designer;
    });
    return found == rows.end() ? nullptr : &*found;
}

} // namespace

std::optional<double> gainOf(const Experiment& experiment) {
    return experiment.tunedGain ? experiment.tunedGain : experiment.measuredGain;
}

std::string designerOf(const Experiment& experiment) {
    if (experiment.editedByPerson || experiment.author == Author::person) {
        return "person";
    }
    return experiment.author == Author::model ? (experiment.model.empty() ? "model" : experiment.model)
                                              : std::string(name(experiment.author));
}

std::vector<CalibrationPoint> calibrationPoints(const Population& population) {
    std::vector<CalibrationPoint> points;
    for (const Experiment& experiment : population.experiments) {
        const std::optional<double> gain = gainOf(experiment);
        const Kernel* kernel = experiment.kernel ? population.kernel(*experiment.kernel) : nullptr;
        if (!gain || !std::isfinite(*gain) || kernel == nullptr || !experiment.predicted) {
            continue;
        }
        CalibrationPoint point;
        point.experiment = experiment.id;
        point.kernel = kernel->id;
        point.designer = designerOf(experiment);
        point.writer = writerOf(*kernel);
        point.predicted = ordered(*experiment.predicted);
        point.measured = *gain;
        point.tuned = experiment.tunedGain.has_value();
        if (!point.tuned && kernel->versusParent && kernel->versusParent->ci95.low > 0) {
            point.measuredCi95 = kernel->versusParent->ci95;
        }
        points.push_back(std::move(point));
    }
    return points;
}

std::vector<CalibrationRow> calibration(const Population& population) {
    const std::vector<CalibrationPoint> points = calibrationPoints(population);
    std::map<std::pair<std::string, std::string>, std::vector<const CalibrationPoint*>> groups;
    for (const CalibrationPoint& point : points) {
        groups[{std::string(name(ModelStage::designer)), point.designer}].push_back(&point);
        if (population.kernel(point.kernel)->author == Author::model) { // others deliver what they plan
            groups[{std::string(name(ModelStage::writer)), point.writer}].push_back(&point);
        }
    }
    std::vector<CalibrationRow> rows;
    for (const auto& [who, members] : groups) {
        rows.push_back(summarised(who.first, who.second, members));
    }
    std::stable_sort(rows.begin(), rows.end(), [](const CalibrationRow& a, const CalibrationRow& b) {
        return a.stage != b.stage ? a.stage < b.stage : a.count > b.count;
    });
    return rows;
}

Interval corrected(const Experiment& experiment, const std::vector<CalibrationRow>& rows) {
    const Interval predicted = ordered(experiment.predicted.value_or(Interval{1, 1}));
    const std::string designer = designerOf(experiment);
    const CalibrationRow* row = designer == "person" ? nullptr : designerRow(rows, designer);
    if (row == nullptr) {
        return predicted;
    }
    const Interval range = logarithms(predicted);
    const double centre = middle(range) + std::log(row->shift);
    const double half = halfWidth(range) * row->widening;
    return {gainFrom(centre - half), gainFrom(centre + half)};
}

Interval corrected(const Experiment& experiment, const Population& population) {
    return corrected(experiment, calibration(population));
}

std::string calibrationText(const Population& population) {
    std::string text;
    for (const CalibrationRow& row : calibration(population)) {
        if (row.stage != name(ModelStage::designer) || row.model == "tuner" || row.model == "person") {
            continue;
        }
        text += fmt::format("{}Of {} predictions by {} that were measured, {} came out inside the predicted range "
                            "({}, 95 % interval {} to {}); {} should. ",
                            text.empty() ? "" : "\n", row.count, row.model == "model" ? "you" : row.model, row.inside,
                            formatShare(row.coverage), formatShare(row.coverageCi95.low),
                            formatShare(row.coverageCi95.high), formatShare(meantCoverage));
        text += fmt::format("Measured gains were on average {} the middle of the range. ", formatRatio(row.bias));
        text += "Say what you expect: what your ranges showed so far is reckoned with when experiments are picked.";
    }
    return text;
}

} // namespace gks
