// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/selection_policy.h"

#include "core/campaign/ranking.h"
#include "core/campaign/rules.h"
#include "core/scientist/briefing_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <vector>

// Choosing a parent is a bandit problem on two floors. First the lineages, a seed with all that came from it, are the
// arms; then the eligible kernels of the chosen lineage are. A step from a kernel is a pull of both. The rule is UCB1
// (Auer, Cesa-Bianchi and Fischer, "Finite-time Analysis of the Multiarmed Bandit Problem", Machine Learning 47, 2002,
// figure 1):
//     score(k) = mean(k) + c sqrt(2 ln N / n(k))
// A reward is the level that a step reached: ln(S / S0), with S0 the speed of the slowest eligible kernel and S that of
// the kernel that came of it, by the campaign's scale; the level of the parent itself where nothing passed, since a
// failed step costs nothing but the try. The kernel itself counts as one result, so n(k) = 1 + steps begun and every
// score is finite; N is the sum of n over the arms compared. A lineage stands where its fastest kernel stands, and its
// steps count by what they gained over their own parents: slow beginnings are not held against it. UCB1 wants rewards
// in [0, 1]: c is the spread of the levels of all kernels times a weight below 1, because one step seldom moves as far
// as the whole population is wide. Steps that are still under way count as tries, so that lanes spread over lineages
// and parents.
namespace gks {
namespace {

constexpr double explorationWeight = 0.25;
constexpr double smallestSpread = 0.05; // of levels: about 5 % in time

struct Arm {
    const Kernel* kernel = nullptr; // of a lineage: its fastest
    KernelId lineage = 0;           // the seed
    Tries tries = {};
    double mean = 0;
    double doubt = 0;
    double score() const { return mean + doubt; }
};

KernelId seedOf(const Population& population, KernelId kernel) {
    const auto path = population.ancestry(kernel);
    return path.empty() ? kernel : path.front();
}

auto fasterArmIn(const Population& population) {
    return [&population](const Arm& a, const Arm& b) { return isFaster(population, *a.kernel, *b.kernel); };
}

std::vector<Arm> kernelArms(const Population& population, const std::map<KernelId, Tries>& tries) {
    std::vector<Arm> result;
    for (const Kernel& kernel : population.kernels) {
        if (isMeasuredParent(kernel)) {
            const auto found = tries.find(kernel.id);
            result.push_back({&kernel, seedOf(population, kernel.id), found == tries.end() ? Tries() : found->second});
        }
    }
    return result;
}

// In the order of their first kernels; tries count also where their parent is not eligible any more.
std::vector<Arm> lineageArms(const Population& population, const std::map<KernelId, Tries>& tries,
                             const std::vector<Arm>& kernels) {
    std::vector<Arm> result;
    for (const Arm& kernel : kernels) {
        const auto known =
            std::find_if(result.begin(), result.end(), [&](const Arm& arm) { return arm.lineage == kernel.lineage; });
        if (known == result.end()) {
            result.push_back({kernel.kernel, kernel.lineage});
        } else if (isFaster(population, *kernel.kernel, *known->kernel)) {
            known->kernel = kernel.kernel;
        }
    }
    for (const auto& [parent, more] : tries) {
        const KernelId lineage = seedOf(population, parent);
        for (Arm& arm : result) {
            if (arm.lineage == lineage) {
                arm.tries.begun += more.begun;
                arm.tries.failed += more.failed;
                arm.tries.passed += more.passed;
                arm.tries.sumLogGain += more.sumLogGain;
            }
        }
    }
    return result;
}

// Levels are ln(speed / speed of the slowest) and doubts a share of their spread, both over all kernels.
struct Levels {
    const Kernel* slowest = nullptr; // of those that compare with the fastest; the others stand beside it
    double spread = 0;

    Levels(const Population& population, const std::vector<Arm>& kernels) {
        const Kernel& fastest = *std::min_element(kernels.begin(), kernels.end(), fasterArmIn(population))->kernel;
        slowest = &fastest;
        for (const Arm& arm : kernels) {
            if (logSpeedup(population, *arm.kernel, fastest) < logSpeedup(population, *slowest, fastest)) {
                slowest = arm.kernel;
            }
        }
        spread = std::max(smallestSpread, logSpeedup(population, fastest, *slowest));
    }
};

// The earlier one wins a tie, so the choice depends on nothing but the population.
Arm highestBound(const Population& population, std::vector<Arm> arms, const Levels& levels) {
    double results = 0;
    for (const Arm& arm : arms) {
        results += 1 + arm.tries.begun;
    }
    for (Arm& arm : arms) {
        const double count = 1 + arm.tries.begun;
        arm.mean = logSpeedup(population, *arm.kernel, *levels.slowest) + arm.tries.sumLogGain / count;
        arm.doubt = explorationWeight * levels.spread * std::sqrt(2 * std::log(results) / count);
    }
    return *std::min_element(arms.begin(), arms.end(),
                             [](const Arm& a, const Arm& b) { return a.score() > b.score(); });
}

struct Choice {
    const Kernel* kernel = nullptr;
    std::string rationale = {};
};

std::string boundText(const Arm& arm) {
    return fmt::format("{:.2f} = {:.2f} mean log speedup of its children + {:.2f} exploration bonus; {}", arm.score(),
                       arm.mean, arm.doubt, triesText(arm.tries));
}

std::string standingText(const Population& population, const Kernel& kernel) {
    return population.speed(kernel) != nullptr ? scaledSpeedText(population, kernel) + " of the baseline"
                                               : formatMicroseconds(kernel.geomeanUs) + " alone, not compared";
}

Choice byUpperConfidence(const Population& population, const std::map<KernelId, Tries>& tries,
                         std::vector<Arm> kernels) {
    const Levels levels(population, kernels);
    const std::vector<Arm> lineages = lineageArms(population, tries, kernels);
    const Arm lineage = highestBound(population, lineages, levels);
    std::erase_if(kernels, [&](const Arm& arm) { return arm.lineage != lineage.lineage; });
    const Arm arm = highestBound(population, kernels, levels);
    std::string rationale;
    if (lineages.size() > 1) {
        rationale =
            fmt::format("the lineage of {} has the highest upper confidence bound of {} lineages ({}); within it, ",
                        kernelLabel(lineage.lineage), lineages.size(), boundText(lineage));
    }
    if (kernels.size() > 1) {
        rationale += fmt::format("{} has the highest upper confidence bound of {} kernels, {}",
                                 kernelLabel(arm.kernel->id), kernels.size(), boundText(arm));
    } else {
        rationale += kernelLabel(arm.kernel->id) + " is the only kernel that passed";
    }
    return {arm.kernel, std::move(rationale)};
}

Choice byTries(const Population& population, const std::vector<Arm>& kernels) {
    const Arm& arm = *std::min_element(kernels.begin(), kernels.end(), [&](const Arm& a, const Arm& b) {
        return a.tries.begun != b.tries.begun ? a.tries.begun < b.tries.begun
                                              : isFaster(population, *a.kernel, *b.kernel);
    });
    return {arm.kernel, fmt::format("{} is the least explored of {} kernels: {}, {}", kernelLabel(arm.kernel->id),
                                    kernels.size(), triesText(arm.tries), standingText(population, *arm.kernel))};
}

Choice byTime(const Population& population, const std::vector<Arm>& kernels) {
    const Arm& arm = *std::min_element(kernels.begin(), kernels.end(), fasterArmIn(population));
    return {arm.kernel, fmt::format("{} is the fastest of {} kernels with {}; {}", kernelLabel(arm.kernel->id),
                                    kernels.size(), standingText(population, *arm.kernel), triesText(arm.tries))};
}

Choice choose(SelectorPolicy policy, const Population& population, const std::map<KernelId, Tries>& tries,
              const std::vector<Arm>& kernels) {
    switch (policy) {
    case SelectorPolicy::upperConfidence:
        return byUpperConfidence(population, tries, kernels);
    case SelectorPolicy::leastExplored:
        return byTries(population, kernels);
    case SelectorPolicy::model:
    case SelectorPolicy::best:
        break;
    }
    return byTime(population, kernels);
}

std::map<KernelId, Tries> triesOf(const Population& population, bool alsoTuning) {
    std::map<KernelId, Tries> result;
    const auto count = [&](KernelId parent, const Kernel* kernel, bool over) {
        Tries& tries = result[parent];
        ++tries.begun;
        const Kernel* from = population.kernel(parent);
        const bool passed = kernel != nullptr && isAccepted(*kernel);
        if (passed && from != nullptr && from->geomeanUs > 0 && kernel->geomeanUs > 0) {
            ++tries.passed;
            tries.sumLogGain += logSpeedup(population, *kernel, *from);
        } else if (over && !passed) {
            ++tries.failed;
        }
    };
    for (const Experiment& experiment : population.experiments) {
        const bool over = isOver(experiment);
        const bool counts =
            (alsoTuning || experiment.author != Author::tuner) && experiment.kind != ExperimentKind::probe;
        if (counts && (over || isUnderWay(experiment))) {
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

} // namespace

std::map<KernelId, Tries> triesByParent(const Population& population) {
    return triesOf(population, true);
}

std::map<KernelId, Tries> stepsByParent(const Population& population) {
    return triesOf(population, false);
}

std::string triesText(const Tries& tries, std::string_view how) {
    const std::string count = tries.begun == 1 ? std::string("once") : fmt::format("{} times", tries.begun);
    return fmt::format("tried {}{}, {} failed", count, how, tries.failed);
}

std::optional<KernelId> fastestOfAnotherLine(const Population& population, KernelId basis) {
    const KernelId line = seedOf(population, basis);
    const Kernel* other = nullptr;
    const Kernel* elsewhere = nullptr;
    for (const Kernel& kernel : population.kernels) {
        if (!isMeasuredParent(kernel) || kernel.id == basis) {
            continue;
        }
        const auto faster = [&](const Kernel* best) { return best == nullptr || isFaster(population, kernel, *best); };
        if (faster(other)) {
            other = &kernel;
        }
        if (faster(elsewhere) && seedOf(population, kernel.id) != line) {
            elsewhere = &kernel;
        }
    }
    const Kernel* found = elsewhere != nullptr ? elsewhere : other;
    return found == nullptr ? std::nullopt : std::optional(found->id);
}

Result<Selection> selectByPolicy(SelectorPolicy policy, const Population& population) {
    const auto tries = triesByParent(population);
    const std::vector<Arm> kernels = kernelArms(population, tries);
    if (kernels.empty()) {
        return kernelError("no kernel has passed yet", "selector", "Evaluate the seeds, or fix one by hand");
    }
    Choice choice = choose(policy, population, tries, kernels);
    const auto reference = population.settings.pinnedReference;
    return Selection{choice.kernel->id, reference ? reference : fastestOfAnotherLine(population, choice.kernel->id),
                     std::move(choice.rationale)};
}

} // namespace gks
