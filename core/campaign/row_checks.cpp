// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/row_checks.h"

#include "core/campaign/damage.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr double lastDigits = 1e-9; // a mean of one value is this value but for rounding

tl::unexpected<Error> noNumber(std::string where, std::string_view what) {
    return damaged(what, std::move(where));
}

bool isSum(double value) { // of times or money
    return std::isfinite(value) && value >= 0;
}
bool isRatio(double value) {
    return std::isfinite(value) && value > 0;
}

bool holds(const Interval& interval, double value) {
    return interval.low <= value * (1 + lastDigits) && value * (1 - lastDigits) <= interval.high &&
           std::isfinite(interval.high) && interval.low >= 0;
}

} // namespace

bool isRatioRange(const Interval& interval) {
    return isRatio(interval.low) && isRatio(interval.high) && interval.low <= interval.high;
}

Result<void> checkNumbers(const Kernel& kernel) {
    const auto bad = [&](std::string_view what) { return noNumber("kernel " + kernelLabel(kernel.id), what); };
    if (!isSum(kernel.geomeanUs) || !holds(kernel.geomeanCi95Us, kernel.geomeanUs)) {
        return bad("its time is none, or is not in its interval");
    }
    if (!std::ranges::all_of(kernel.shapeMediansUs, isSum)) {
        return bad("a time of a shape is none");
    }
    if (!isSum(kernel.draftUsd) || !isSum(kernel.draftSeconds)) {
        return bad("its draft cost less than nothing");
    }
    const auto& versus = kernel.versusParent; // of the first versions without a 99 % interval: it stands at 1
    if (versus && (!isRatio(versus->ratio) || !holds(versus->ci95, versus->ratio) || !isRatioRange(versus->ci99))) {
        return bad("its ratio is none, or is not in its interval");
    }
    return {};
}

Result<void> checkNumbers(const Experiment& experiment) {
    const auto isGain = [](const std::optional<double>& gain) { return !gain || isRatio(*gain); };
    return isGain(experiment.measuredGain) && isGain(experiment.tunedGain)
               ? Result<void>()
               : noNumber(fmt::format("experiment {}", experiment.id), "a gain of it is no ratio");
}

Result<void> checkNumbers(const Finding& finding) {
    return !finding.gain || isRatioRange(*finding.gain)
               ? Result<void>()
               : noNumber(fmt::format("finding {}", finding.id), "its gain is no ratio");
}

Result<void> checkNumbers(const Evaluation& evaluation) {
    const auto& comparison = evaluation.verdict.comparison;
    return !comparison || (isRatio(comparison->ratio) && holds(comparison->ci95, comparison->ratio))
               ? Result<void>()
               : noNumber(fmt::format("kernel {}, evaluation {}", kernelLabel(evaluation.kernel), evaluation.id),
                          "its ratio is none, or is not in its interval");
}

Result<void> checkNumbers(const std::vector<ShapeTime>& times, std::int64_t evaluation) {
    const auto isProper = [](const ShapeTime& time) {
        return isSum(time.medianUs) && holds(time.ci95Us, time.medianUs) &&
               (!time.ratio || (isRatio(*time.ratio) && holds(time.ratioCi95, *time.ratio)));
    };
    return std::ranges::all_of(times, isProper)
               ? Result<void>()
               : noNumber(fmt::format("evaluation {}", evaluation),
                          "a time or ratio of a shape is none, or is not in its interval");
}

Result<void> checkNumbers(const Spend& spend) {
    const bool isProper = spend.evaluations >= 0 && spend.tokens >= 0 && spend.unpricedTokens >= 0 &&
                          isSum(spend.usd) && isSum(spend.gpuSeconds) && isSum(spend.wallSeconds);
    return isProper ? Result<void>() : noNumber("the campaign", "less than nothing was spent");
}

} // namespace gks
