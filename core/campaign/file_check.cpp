// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/file_check.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace gks {
namespace {

constexpr double roundingUsd = 1e-6; // of as many additions as a campaign has

Error differsFromItsParts(std::string_view what) {
    return {ErrorKind::infrastructure, fmt::format("the sum of {} is not that of its calls of models", what),
            "the campaign", "Restore a copy"};
}

void checkSpend(const CampaignStore& store, const Spend& spend, std::vector<Error>& troubles) {
    const auto exchanges = store.exchanges();
    if (!exchanges) {
        troubles.push_back(exchanges.error());
        return;
    }
    std::int64_t tokens = 0;
    double usd = 0;
    for (const Exchange& exchange : *exchanges) {
        tokens += exchange.tokensIn + exchange.tokensOut;
        usd += exchange.usd.value_or(0);
    }
    if (tokens != spend.tokens) {
        troubles.push_back(differsFromItsParts("tokens"));
    }
    if (std::abs(usd - spend.usd) > roundingUsd * std::max(1.0, usd)) {
        troubles.push_back(differsFromItsParts("money"));
    }
}

} // namespace

std::vector<Error> checkFile(const CampaignStore& store, const Population& population) {
    std::vector<Error> troubles;
    const auto check = [&](const Kernel& kernel) {
        if (const auto source = kernel.source.read(); !source) {
            troubles.push_back(source.error());
        } else if (const auto evaluations = store.evaluations(kernel.id); !evaluations) {
            troubles.push_back(evaluations.error());
        }
    };
    std::ranges::for_each(population.kernels, check);
    std::ranges::for_each(population.probes, check);
    checkSpend(store, population.spend, troubles);
    return troubles;
}

} // namespace gks
