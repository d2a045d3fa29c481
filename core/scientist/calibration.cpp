// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/calibration.h"

#include "core/base/quantity.h"
#include "core/campaign/model_stages.h"
#include "core/judge/evaluator/statistics/statistics.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

// A designer predicts a range of gain for each experiment; some of them are measured. Three things are said of who
// predicts. Coverage: the share of results inside the range, with Wilson's interval (E. B. Wilson, 1927), which is
// right for few results and near 0 and 1. Bias: the mean of measured minus middle, with the interval of Student's t
// (Abramowitz and Stegun 26.7.5). Width: ranges that hold everything because they are wide are worth nothing.
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
constexpr double leastHalfWidthPercent = 0.5; // a range without width would make every scale infinite
constexpr double leastWidening = 0.25;
constexpr double mostWidening = 8;
constexpr double mostGainPercent = 99.9; // a kernel cannot take no time

double middle(const Interval& range) {
    return (range.low + range.high) / 2;
}
double halfWidth(const Interval& range) {
    return std::max((range.high - range.low) / 2, leastHalfWidthPercent);
}
// A designer may have written the ends in the wrong order.
Interval ordered(double a, double b) {
    return {std::min(a, b), std::max(a, b)};
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
    for (const CalibrationPoint* point : points) {
        row.inside += point->inside() ? 1 : 0;
        row.biasPercent += (point->measuredPercent - middle(point->predictedPercent)) / n;
        row.meanWidthPercent += (point->predictedPercent.high - point->predictedPercent.low) / n;
    }
    row.coverage = row.inside / n;
    row.coverageCi95 = wilson(row.inside, row.count);
    if (row.count > 1) {
        double squares = 0;
        for (const CalibrationPoint* point : points) {
            squares += std::pow(point->measuredPercent - middle(point->predictedPercent) - row.biasPercent, 2);
        }
        const double half = studentT95(n - 1) * std::sqrt(squares / (n - 1) / n);
        row.biasCi95 = Interval{row.biasPercent - half, row.biasPercent + half};
    }
    const double weight = n / (n + priorCount);
    row.shiftPercent = weight * row.biasPercent;
    std::vector<double> scales;
    for (const CalibrationPoint* point : points) {
        const Interval& range = point->predictedPercent;
        scales.push_back(std::abs(point->measuredPercent - middle(range) - row.shiftPercent) / halfWidth(range));
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

std::optional<double> gainPercent(const Experiment& experiment) {
    return experiment.tunedGainPercent ? experiment.tunedGainPercent : experiment.measuredGainPercent;
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
        const std::optional<double> gain = gainPercent(experiment);
        const Kernel* kernel = experiment.kernel ? population.kernel(*experiment.kernel) : nullptr;
        // Zero to zero is what an experiment without a prediction has: a person's own.
        const bool predicted = experiment.predictedLowPercent != 0 || experiment.predictedHighPercent != 0;
        if (!gain || !std::isfinite(*gain) || kernel == nullptr || !predicted) {
            continue;
        }
        CalibrationPoint point;
        point.experiment = experiment.id;
        point.kernel = kernel->id;
        point.designer = designerOf(experiment);
        point.writer = writerOf(*kernel);
        point.predictedPercent = ordered(experiment.predictedLowPercent, experiment.predictedHighPercent);
        point.measuredPercent = *gain;
        point.tuned = experiment.tunedGainPercent.has_value();
        if (!point.tuned && kernel->versusParent && kernel->versusParent->ci95.low > 0) {
            const Interval& ratio = kernel->versusParent->ci95;
            point.measuredCi95Percent = Interval{100 * (1 - 1 / ratio.low), 100 * (1 - 1 / ratio.high)};
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
    const Interval range = ordered(experiment.predictedLowPercent, experiment.predictedHighPercent);
    const std::string designer = designerOf(experiment);
    const CalibrationRow* row = designer == "person" ? nullptr : designerRow(rows, designer);
    if (row == nullptr) {
        return range;
    }
    const double centre = middle(range) + row->shiftPercent;
    const double half = halfWidth(range) * row->widening;
    return {std::min(centre - half, mostGainPercent), std::min(centre + half, mostGainPercent)};
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
        text += fmt::format("Measured gains were on average {} points {} than the middle of the range",
                            formatSignificant(std::abs(row.biasPercent)), row.biasPercent < 0 ? "lower" : "higher");
        text += row.biasCi95 ? fmt::format(" (95 % interval {} to {}).", formatPoints(row.biasCi95->low),
                                           formatPoints(row.biasCi95->high))
                             : ".";
        text += fmt::format(" Ranges are read with their middle moved by {} points and {} times as wide.",
                            formatPoints(row.shiftPercent), formatSignificant(row.widening, 2));
    }
    return text;
}

} // namespace gks
