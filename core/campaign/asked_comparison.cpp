// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/asked_comparison.h"

#include "core/campaign/store.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

const char* shapesText(const AskedComparison& asked) {
    return asked.allShapes ? ", all shapes" : "";
}

} // namespace

std::string askedText(const AskedComparison& asked) {
    return fmt::format("{} and {}{}", kernelLabel(asked.kernel), kernelLabel(asked.other), shapesText(asked));
}

std::optional<AskedComparison> askedOf(const Evaluation& evaluation) {
    return isAsked(evaluation.purpose) && evaluation.baseline
               ? std::optional(
                     AskedComparison{evaluation.kernel, *evaluation.baseline, evaluation.purpose == askedOnAllPurpose})
               : std::nullopt;
}

bool isWaiting(const CampaignSettings& settings, const AskedComparison& asked) {
    const auto& waiting = settings.askedComparisons;
    return std::find(waiting.begin(), waiting.end(), asked) != waiting.end();
}

std::vector<AskedResult> askedResults(const std::vector<Evaluation>& evaluations) {
    std::vector<AskedResult> results;
    for (auto evaluation = evaluations.rbegin(); evaluation != evaluations.rend(); ++evaluation) {
        const auto asked = askedOf(*evaluation);
        const Verdict& verdict = evaluation->verdict;
        if (!asked || !isAccepted(verdict.kind) || !verdict.comparison) {
            continue;
        }
        const bool isNewest = std::none_of(results.begin(), results.end(),
                                           [&](const AskedResult& newer) { return newer.asked == *asked; });
        if (isNewest) {
            results.push_back({evaluation->id, *asked, *verdict.comparison});
        }
    }
    return results;
}

std::string askedResultText(const AskedResult& result) {
    return fmt::format("{} (side by side with {}{})", comparisonText(result.fact), kernelLabel(result.asked.other),
                       shapesText(result.asked));
}

} // namespace gks
