// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/statistics/conclusion.h"

#include "core/base/counted.h"
#include "core/base/hash.h"
#include "core/base/quantity.h"

#include <cmath>
#include <fmt/format.h>

namespace gks {
namespace {

std::string spanText(const ComparisonFact& fact) {
    return fmt::format("the 99 % interval [{}, {}] spans the margin of {}",
                       formatSignificant(fact.ci99.low, marginDigits), formatSignificant(fact.ci99.high, marginDigits),
                       formatPercent(fact.tieMarginPercent));
}

std::string timeToDecide(const Verdict& verdict) {
    const auto seconds = secondsToDecide(verdict);
    return seconds ? fmt::format("about {} more at this noise would decide", formatSeconds(*seconds))
                   : "at this noise no sensible time would decide";
}

std::string nextOfUndecided(const Verdict& verdict) {
    if (const auto seconds = secondsToDecide(verdict)) {
        return fmt::format("Measure for {:.0f} s, or on a quieter machine",
                           std::ceil(verdict.conditions.measureSeconds + *seconds));
    }
    return "Measure on a quieter machine";
}

} // namespace

std::string clockName(TargetKind target, int threads) {
    return target == TargetKind::cpu ? "host clock less an empty call, " + counted(threads, "thread") : "device events";
}

std::optional<double> secondsToDecide(const Verdict& verdict) {
    if (!verdict.comparison || verdict.comparison->verdict != VerdictKind::undecided) {
        return std::nullopt;
    }
    const ComparisonFact& fact = *verdict.comparison;
    const auto times = roundsToDecide({fact.ratio, fact.ci95, fact.ci99}, fact.tieMarginPercent);
    return times ? std::optional(verdict.measureSeconds * (*times - 1)) : std::nullopt;
}

void conclude(Verdict& verdict, const EvaluationRequest& request, const std::optional<RatioEstimate>& ratio,
              double errorShare) {
    const std::string time = formatMicroseconds(verdict.geomeanUs, verdict.geomeanCi95Us);
    int calls = 0;
    for (const MeasurementFact& fact : verdict.measurements) {
        calls += fact.samples;
    }
    const std::string how = judgedBy(verdict).empty()
                                ? fmt::format("{} calls, {}", calls, verdict.measurements.front().clock)
                                : fmt::format("{} runs of measure", calls);
    if (!ratio) {
        verdict.kind = VerdictKind::correct;
        verdict.reason =
            fmt::format("correct, {} (geometric mean of {} shapes; {})", time, verdict.measurements.size(), how);
        return;
    }
    verdict.kind = decide(*ratio, request.tieMarginPercent, verdict.rules);
    verdict.comparison =
        ComparisonFact{ratio->ratio, ratio->ci95, verdict.kind, sha256Hex(*request.baseline), request.tieMarginPercent,
                       ratio->ci99,  errorShare};
    verdict.reason = fmt::format("{}: {} the speed of the baseline, {} ({} of either kernel)", name(verdict.kind),
                                 formatRatio(ratio->ratio, ratio->ci95), time, how);
    if (decide(*ratio, request.tieMarginPercent) == VerdictKind::undecided) {
        verdict.reason += "; " + spanText(*verdict.comparison);
    }
    if (verdict.kind == VerdictKind::undecided) {
        verdict.reason += "; " + timeToDecide(verdict);
        verdict.next = nextOfUndecided(verdict);
    }
}

} // namespace gks
