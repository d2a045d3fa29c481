// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/confirmation.h"

#include "core/base/text.h"
#include "core/campaign/ranking.h"
#include "core/campaign/store.h"

#include <algorithm>
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

bool isConfirmation(const Evaluation& evaluation) {
    return evaluation.purpose == confirmationPurpose && isAccepted(evaluation.verdict.kind) &&
           evaluation.verdict.kind != VerdictKind::undecided && evaluation.verdict.comparison;
}

std::optional<Evaluation> confirmationOf(const std::vector<Evaluation>& evaluations) {
    const auto found = std::find_if(evaluations.rbegin(), evaluations.rend(), isConfirmation);
    return found != evaluations.rend() ? std::optional(*found) : std::nullopt;
}

HeadlineRatio headlineRatio(const Population& population, const std::vector<Evaluation>& ofBest) {
    const Kernel* best = population.best ? population.kernel(*population.best) : nullptr;
    if (best == nullptr) {
        return {{}, false, "no kernel has passed its verdict yet"};
    }
    if (population.baseline == best->id) {
        return {best->id, false, fmt::format("nothing is faster than baseline {}", baselineName(population))};
    }
    const std::string_view clock = population.settings.target == TargetKind::cpu ? ", cpu timings" : "";
    if (const auto confirmation = confirmationOf(ofBest)) {
        const ComparisonFact& fact = *confirmation->verdict.comparison;
        const std::string_view verdict = fact.verdict == VerdictKind::tie ? "a tie with"
                                         : fact.ratio >= 1                ? "faster than"
                                                                          : "slower than";
        return {
            best->id, true,
            fmt::format("{} confirmed, {} baseline {}{}", ratioText(fact), verdict, baselineName(population), clock)};
    }
    if (best->speedup <= 0) {
        return {best->id, false, fmt::format("not confirmed, not compared with baseline {}", baselineName(population))};
    }
    return {best->id, false,
            fmt::format("{} not confirmed, by all paired runs over baseline {}{}", scaledSpeedText(*best),
                        baselineName(population), clock)};
}

} // namespace gks
