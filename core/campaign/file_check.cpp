// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/file_check.h"

#include "core/base/error_place.h"
#include "core/campaign/damage.h"
#include "core/campaign/store_evaluation.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace gks {
namespace {

constexpr double roundingUsd = 1e-6; // of as many additions as a campaign has

bool isNear(double a, double b) {
    constexpr double lastDigits = 1e-6; // another version's arithmetic may have written it
    return std::abs(a - b) <= lastDigits * std::abs(b);
}

Error differsFromItsParts(std::string_view what, std::string_view parts = "its calls of models") {
    return {ErrorKind::infrastructure, fmt::format("the sum of {} is not that of {}", what, parts), "the campaign",
            std::string(restoreCopy)};
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

// A kernel is made of earlier ones, so a parent that is none leads in a circle or nowhere.
void checkParents(const Population& population, std::vector<Error>& troubles) {
    const auto check = [&](const Kernel& kernel) {
        for (const KernelId parent : kernel.parents) {
            if (parent >= kernel.id || population.kernel(parent) == nullptr) {
                troubles.push_back(damage(fmt::format("its parent {} is no earlier kernel", kernelLabel(parent)),
                                          "kernel " + kernelLabel(kernel.id)));
            }
        }
        const Kernel* basis = kernel.parents.empty() ? nullptr : population.kernel(kernel.parents.front());
        const bool saysWith = kernel.versusParent && !kernel.versusParent->baselineSha256.empty();
        if (basis != nullptr && saysWith && kernel.versusParent->baselineSha256 != basis->sourceSha256) {
            troubles.push_back(damage(
                fmt::format("it was compared with another source than that of its parent {}", kernelLabel(basis->id)),
                "kernel " + kernelLabel(kernel.id)));
        }
    };
    std::ranges::for_each(population.kernels, check);
    std::ranges::for_each(population.probes, check);
}

// What is read when somebody looks at it.
void checkAccounts(const Population& population, std::vector<Error>& troubles) {
    for (const SharedList<Kernel>* all : {&population.kernels, &population.probes}) {
        for (const Kernel& kernel : *all) {
            const auto report = kernel.report.read();
            const auto rubric = kernel.rubric.read();
            if (!report || !rubric) {
                troubles.push_back(
                    within("kernel " + kernelLabel(kernel.id), report ? rubric.error() : report.error()));
            }
        }
    }
}

// The row that a quick answer is taken from.
void checkBest(const CampaignStore& store, const Population& population, std::vector<Error>& troubles) {
    const auto alone = store.bestAlone();
    const Kernel* of = population.best ? population.kernel(*population.best) : nullptr;
    const Kernel* said = alone && (*alone)->best ? (*alone)->kernel(*(*alone)->best) : nullptr;
    const SpeedRatio none;
    const auto speedOrNone = [&](const Population& among, const Kernel* kernel) {
        const SpeedRatio* speed = kernel != nullptr ? among.speed(*kernel) : nullptr;
        return speed != nullptr ? *speed : none;
    };
    const SpeedRatio given = speedOrNone(population, of);
    const SpeedRatio kept = alone ? speedOrNone(**alone, said) : none;
    const bool isSame = alone && (*alone)->best == population.best && (*alone)->baseline == population.baseline &&
                        isNear(kept.ratio, given.ratio) && isNear(kept.ci95.low, given.ci95.low) &&
                        isNear(kept.ci95.high, given.ci95.high);
    if (!isSame) {
        troubles.push_back(damage("it names another best kernel or speed than its comparisons give", "best"));
    }
}

// How many of its evaluations a budget paid for; nothing where one cannot be read.
std::optional<std::int64_t> checkKernel(const CampaignStore& store, KernelId kernel,
                                        const std::function<std::optional<Error>(const Evaluation&)>& alsoCheck,
                                        std::vector<Error>& troubles) {
    if (const auto source = store.source(kernel); !source) {
        troubles.push_back(source.error());
        return std::nullopt;
    }
    const auto evaluations = store.evaluations(kernel);
    if (!evaluations) {
        troubles.push_back(evaluations.error());
        return std::nullopt;
    }
    std::int64_t paid = 0;
    for (const Evaluation& evaluation : *evaluations) {
        paid += isPaidEvaluation(evaluation) ? 1 : 0;
        if (auto trouble = alsoCheck ? alsoCheck(evaluation) : std::nullopt) {
            troubles.push_back(std::move(*trouble));
        }
    }
    return paid;
}

} // namespace

std::vector<Error> checkFile(const CampaignStore& store,
                             const std::function<std::optional<Error>(const Evaluation&)>& alsoCheck) {
    std::vector<Error> troubles;
    const auto population = store.population();
    if (population) {
        checkParents(**population, troubles);
        checkAccounts(**population, troubles);
        checkBest(store, **population, troubles);
    } else {
        troubles.push_back(population.error());
    }
    const auto kernels = store.kernelIds();
    if (!kernels) {
        troubles.push_back(kernels.error());
    }
    std::optional<std::int64_t> paid = 0;
    for (const KernelId kernel : kernels.value_or(std::vector<KernelId>())) {
        const auto more = checkKernel(store, kernel, alsoCheck, troubles);
        paid = paid && more ? std::optional(*paid + *more) : std::nullopt;
    }
    const auto now = store.population();
    if (population && now && *now == *population) { // whoever runs it adds to sums and parts while this reads
        checkSpend(store, (*population)->spend, troubles);
        if (paid && *paid != (*population)->spend.evaluations) {
            troubles.push_back(differsFromItsParts("evaluations", "those that are there"));
        }
    }
    auto links = store.brokenLinks();
    if (links) {
        std::ranges::move(*links, std::back_inserter(troubles));
    } else {
        troubles.push_back(links.error());
    }
    for (Error& one : troubles) {
        one = within(store.file().string(), std::move(one));
    }
    return troubles;
}

} // namespace gks
