// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/samples_check.h"

#include "core/campaign/damage.h"
#include "core/campaign/store_evaluation.h"
#include "core/report/recomputation.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

std::optional<Error> firstThatDiffers(const Evaluation& evaluation, const Claims& claims) {
    const auto first = std::ranges::find(claims, Outcome::differs, &Claim::outcome);
    if (first == claims.end()) {
        return std::nullopt;
    }
    const auto further = std::ranges::count(claims, Outcome::differs, &Claim::outcome) - 1;
    return damage(fmt::format("{}: {} is stated, {} found; {}{}", first->what, first->claimed, first->found, first->why,
                              further > 0 ? fmt::format("; {} more differ", further) : std::string()),
                  evaluationPlace(evaluation.kernel, evaluation.id), "Restore a copy, or evaluate the kernel again");
}

} // namespace

std::optional<Error> contradictsItsSamples(const Evaluation& evaluation) {
    Claims claims = recompute(evaluation.verdict, "");
    std::erase_if(claims, [](const Claim& claim) { return claim.what == sentenceClaim; });
    return firstThatDiffers(evaluation, claims);
}

Result<std::vector<Evaluation>> provenEvaluations(const CampaignStore& store, KernelId kernel) {
    GKS_TRY_ASSIGN(auto evaluations, store.evaluations(kernel));
    for (const Evaluation& evaluation : evaluations) {
        if (!evaluation.verdict.comparison) {
            continue;
        }
        Claims claims = recompute(evaluation.verdict, "");
        std::erase_if(claims, [](const Claim& claim) { return claim.what != ratioClaim && claim.what != timeClaim; });
        if (auto trouble = firstThatDiffers(evaluation, claims)) {
            return tl::unexpected(std::move(*trouble));
        }
    }
    return evaluations;
}

} // namespace gks
