// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/selection_policy.h"

#include "core/scientist/briefing_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <vector>

// Choosing a parent is a bandit problem: every eligible kernel is an arm, a step from it is a pull. The rule is UCB1
// (Auer, Cesa-Bianchi and Fischer, "Finite-time Analysis of the Multiarmed Bandit Problem", Machine Learning 47, 2002,
// figure 1):
//     score(k) = mean(k) + c sqrt(2 ln N / n(k))
// A reward is the level that a step reached: ln(T0 / T), with T0 the slowest eligible time and T the time of the kernel
// that came of it; the level of the parent itself where nothing passed, since a failed step costs nothing but the try.
// The kernel itself counts as one result, so n(k) = 1 + steps begun and every score is finite; N is the sum of n. UCB1
// wants rewards in [0, 1]: c is the spread of the levels times a weight below 1, because one step seldom moves as far
// as the whole population is wide. Steps that are still under way count as tries, so that lanes spread over parents.
namespace gks {
namespace {

constexpr double explorationWeight = 0.25;
constexpr double smallestSpread = 0.05; // of levels: about 5 % in time

struct Arm {
    const Kernel* kernel = nullptr;
    Tries tries;
    double mean = 0;
    double doubt = 0;
    double score() const { return mean + doubt; }
};

bool isUnderWay(const Experiment& experiment) {
    using enum ExperimentState;
    return experiment.state == approved || experiment.state == writing || experiment.state == evaluating;
}

std::vector<Arm> arms(const Population& population) {
    const auto tries = triesByParent(population);
    std::vector<Arm> result;
    for (const Kernel& kernel : population.kernels) {
        if (isEligible(kernel) && kernel.geomeanUs > 0) {
            const auto found = tries.find(kernel.id);
            result.push_back({&kernel, found == tries.end() ? Tries() : found->second});
        }
    }
    return result;
}

void score(std::vector<Arm>& all) {
    const auto faster = [](const Arm& a, const Arm& b) { return a.kernel->geomeanUs < b.kernel->geomeanUs; };
    const auto [fastest, slowest] = std::minmax_element(all.begin(), all.end(), faster);
    const double slowestUs = slowest->kernel->geomeanUs;
    const double spread = std::max(smallestSpread, std::log(slowestUs / fastest->kernel->geomeanUs));
    double results = 0;
    for (const Arm& arm : all) {
        results += 1 + arm.tries.begun;
    }
    for (Arm& arm : all) {
        const double count = 1 + arm.tries.begun;
        arm.mean = std::log(slowestUs / arm.kernel->geomeanUs) + arm.tries.sumLogGain / count;
        arm.doubt = explorationWeight * spread * std::sqrt(2 * std::log(results) / count);
    }
}

std::string triesText(const Tries& tries) {
    return fmt::format("tried {} time{}, {} failed", tries.begun, tries.begun == 1 ? "" : "s", tries.failed);
}

const Arm& chosen(SelectorPolicy policy, std::vector<Arm>& all) {
    // The earlier one wins a tie, so the choice depends on nothing but the population.
    switch (policy) {
    case SelectorPolicy::upperConfidence:
        score(all);
        return *std::min_element(all.begin(), all.end(),
                                 [](const Arm& a, const Arm& b) { return a.score() > b.score(); });
    case SelectorPolicy::leastExplored:
        return *std::min_element(all.begin(), all.end(), [](const Arm& a, const Arm& b) {
            return std::pair(a.tries.begun, a.kernel->geomeanUs) < std::pair(b.tries.begun, b.kernel->geomeanUs);
        });
    case SelectorPolicy::model:
    case SelectorPolicy::best:
        break;
    }
    return *std::min_element(all.begin(), all.end(),
                             [](const Arm& a, const Arm& b) { return a.kernel->geomeanUs < b.kernel->geomeanUs; });
}

std::string rationale(SelectorPolicy policy, const Arm& arm, std::size_t count) {
    const std::string label = kernelLabel(arm.kernel->id);
    const std::string time = formatMicroseconds(arm.kernel->geomeanUs);
    switch (policy) {
    case SelectorPolicy::upperConfidence:
        return fmt::format("{} has the highest upper confidence bound of {} kernels, {:.2f}: {:.2f} for the level that "
                           "steps from it reach (ln of the speed-up over the slowest) and {:.2f} for how little it was "
                           "tried ({})",
                           label, count, arm.score(), arm.mean, arm.doubt, triesText(arm.tries));
    case SelectorPolicy::leastExplored:
        return fmt::format("{} is the least explored of {} kernels: {}, {}", label, count, triesText(arm.tries), time);
    case SelectorPolicy::model:
    case SelectorPolicy::best:
        break;
    }
    return fmt::format("{} is the fastest of {} kernels with {}; {}", label, count, time, triesText(arm.tries));
}

} // namespace

std::map<KernelId, Tries> triesByParent(const Population& population) {
    std::map<KernelId, Tries> result;
    const auto count = [&](KernelId parent, const Kernel* kernel, bool over) {
        Tries& tries = result[parent];
        ++tries.begun;
        const Kernel* from = population.kernel(parent);
        const bool passed = kernel != nullptr && kernel->verdict && isAccepted(*kernel->verdict);
        if (passed && from != nullptr && from->geomeanUs > 0 && kernel->geomeanUs > 0) {
            ++tries.passed;
            tries.sumLogGain += std::log(from->geomeanUs / kernel->geomeanUs);
        } else if (over && !passed) {
            ++tries.failed;
        }
    };
    for (const Experiment& experiment : population.experiments) {
        const bool over = experiment.state == ExperimentState::done || experiment.state == ExperimentState::failed;
        if (over || isUnderWay(experiment)) {
            count(experiment.parent, experiment.kernel ? population.kernel(*experiment.kernel) : nullptr, over);
        }
    }
    for (const Kernel& kernel : population.kernels) {
        if (!kernel.experiment && !kernel.parents.empty()) {
            count(kernel.parents.front(), &kernel, kernel.verdict.has_value());
        }
    }
    return result;
}

std::optional<KernelId> fastestOfAnotherLine(const Population& population, KernelId basis) {
    const auto seedOf = [&](KernelId id) {
        const auto path = population.ancestry(id);
        return path.empty() ? id : path.front();
    };
    const KernelId line = seedOf(basis);
    const Kernel* other = nullptr;
    const Kernel* elsewhere = nullptr;
    for (const Kernel& kernel : population.kernels) {
        if (!isEligible(kernel) || kernel.id == basis || kernel.geomeanUs <= 0) {
            continue;
        }
        const auto faster = [&](const Kernel* best) { return best == nullptr || kernel.geomeanUs < best->geomeanUs; };
        if (faster(other)) {
            other = &kernel;
        }
        if (faster(elsewhere) && seedOf(kernel.id) != line) {
            elsewhere = &kernel;
        }
    }
    const Kernel* found = elsewhere != nullptr ? elsewhere : other;
    return found == nullptr ? std::nullopt : std::optional(found->id);
}

Result<Selection> selectByPolicy(SelectorPolicy policy, const Population& population) {
    std::vector<Arm> all = arms(population);
    if (all.empty()) {
        return kernelError("no kernel has passed the judge yet", "selector", "Evaluate the seeds, or mend one by hand");
    }
    const Arm& arm = chosen(policy, all);
    const auto reference = population.settings.pinnedReference;
    return Selection{arm.kernel->id, reference ? reference : fastestOfAnotherLine(population, arm.kernel->id),
                     rationale(policy, arm, all.size())};
}

} // namespace gks
