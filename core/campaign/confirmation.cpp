// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/confirmation.h"

#include "core/base/text.h"
#include "core/campaign/ranking.h"
#include "core/campaign/rules.h"
#include "core/campaign/store.h"
#include "core/problem/harness.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gks {

std::string baselineName(const Population& population) {
    const Kernel* baseline = population.baseline ? population.kernel(*population.baseline) : nullptr;
    return baseline == nullptr
               ? std::string("the baseline")
               : fmt::format("{}{}{}", kernelLabel(baseline->id), baseline->title.empty() ? "" : " ", baseline->title);
}

std::string reasonText(const Population& population, const Kernel& kernel) {
    const auto other = kernel.parents.empty() ? population.baseline : std::optional(kernel.parents.front());
    return other ? replaceAll(kernel.reason, "the speed of the baseline", "the speed of " + kernelLabel(*other))
                 : kernel.reason;
}

namespace {

// Whoever wrote the file: a ratio in its interval, and on the side that the verdict says.
bool isSound(const ComparisonFact& fact) {
    const bool isInside = fact.ci95.low > 0 && fact.ci95.low <= fact.ratio && fact.ratio <= fact.ci95.high &&
                          std::isfinite(fact.ci95.high);
    return isInside && (fact.verdict != VerdictKind::faster || fact.ratio > 1) &&
           (fact.verdict != VerdictKind::slower || fact.ratio < 1);
}

} // namespace

bool isConfirmation(const Evaluation& evaluation) {
    return evaluation.purpose == confirmationPurpose && isAccepted(evaluation.verdict.kind) &&
           evaluation.verdict.kind != VerdictKind::undecided && evaluation.verdict.comparison &&
           isSound(*evaluation.verdict.comparison);
}

std::optional<Evaluation> confirmationOf(const Population& population, const std::vector<Evaluation>& evaluations) {
    const Kernel* baseline = population.baseline ? population.kernel(*population.baseline) : nullptr;
    const auto newest = std::find_if(evaluations.rbegin(), evaluations.rend(), [](const Evaluation& evaluation) {
        return evaluation.purpose == confirmationPurpose &&
               evaluation.verdict.kind != VerdictKind::infrastructureFailed;
    });
    const bool stands = newest != evaluations.rend() && isConfirmation(*newest) && baseline != nullptr &&
                        isAccepted(*baseline) && newest->baseline == baseline->id;
    return stands ? std::optional(*newest) : std::nullopt;
}

HeadlineRatio headlineRatio(const Population& population, const std::vector<Evaluation>& ofBest) {
    using enum HeadlineRatio::State;
    const Kernel* best = population.best ? population.kernel(*population.best) : nullptr;
    if (best == nullptr) {
        return {};
    }
    HeadlineRatio headline{.state = notCompared,
                           .best = best->id,
                           .baseline = baselineName(population),
                           .isCpu = population.settings.target == TargetKind::cpu,
                           .isByHarness = population.settings.judgedByHarness};
    if (population.baseline == best->id) {
        headline.state = baselineIsBest;
    } else if (const auto confirmation = confirmationOf(population, ofBest)) {
        const ComparisonFact& fact = *confirmation->verdict.comparison;
        headline.state = confirmed;
        headline.ratio = ratioText(fact);
        headline.verdict = fact.verdict == VerdictKind::tie ? VerdictKind::tie
                           : fact.ratio >= 1                ? VerdictKind::faster
                                                            : VerdictKind::slower;
    } else if (population.speed(*best) != nullptr) {
        headline.state = notConfirmed;
        headline.ratio = scaledSpeedText(population, *best);
    }
    return headline;
}

std::string HeadlineRatio::text() const {
    return isByHarness ? fmt::format("{}; {}", comparison(), judgedByHarness()) : comparison();
}

std::string HeadlineRatio::comparison() const {
    const std::string_view clock = isCpu ? ", CPU timings" : "";
    switch (state) {
    case State::nothingAccepted:
        break;
    case State::baselineIsBest:
        return fmt::format("nothing is faster than baseline {}", baseline);
    case State::confirmed:
        return fmt::format("{} confirmed, {} baseline {}{}", ratio,
                           verdict == VerdictKind::tie      ? "a tie with"
                           : verdict == VerdictKind::faster ? "faster than"
                                                            : "slower than",
                           baseline, clock);
    case State::notConfirmed:
        return fmt::format("{} not confirmed, by all paired runs over baseline {}{}", ratio, baseline, clock);
    case State::notCompared:
        return fmt::format("not confirmed, not compared with baseline {}", baseline);
    }
    return "no kernel has passed its verdict yet";
}

} // namespace gks
