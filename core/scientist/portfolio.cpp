// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/portfolio.h"

#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/campaign/model_stages.h"
#include "core/campaign/rules.h"
#include "core/scientist/conversation.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <optional>
#include <set>

// Several models write; which one brings most for money and time is not known before, and changes. That is a bandit
// problem: the writers are its arms, a draft is a pull. Kinds of experiment are arms of another one.
//
// Reward: ln(S' / S), S the speed of the fastest kernel before this one and S' after, by the campaign's scale; 0 for
// what is no faster, failed, was refused or was no reply. So all rewards of a campaign add up to what it has gained,
// and noise that makes a kernel look fast is paid once. What the tuner gains with the numbers of a structure is its
// writer's.
//
// Cost: money and minutes have no rate of exchange that anybody gave. Each counts as a multiple of what a draft of an
// average writer takes of it, and the cost of a draft is the mean of both: 1 is an ordinary draft. Where the price of a
// writer is not known, minutes count alone, for all of them: a missing price must not look like a gift. A draft that
// left no kernel costs what its arm's drafts cost on average: what it took is in its exchanges, not in the population.
//
// Choice: the highest upper confidence bound of gain per cost,
//     bound(i) = G(i) / C(i) + r sqrt(2 ln(1 + C) / C(i)),      C = sum of all C(i), r = sum of all G(i) / C
// which is UCB1 (Auer, Cesa-Bianchi and Fischer, "Finite-time Analysis of the Multiarmed Bandit Problem", Machine
// Learning 47, 2002, figure 1) with two changes. Cost takes the place of the number of pulls, in the mean, which makes
// it the ratio that is to be high where a budget ends the game (Tran-Thanh, Chapman, Rogers and Jennings, "Knapsack
// based Optimal Policies for Budget-Limited Multi-Armed Bandits", AAAI 2012), and also in the doubt: a writer of half
// the price is tried twice as often before as much is known of it, and not for its price alone. And r, what all arms
// bring, takes the place of the range of rewards, for which UCB1 wants [0, 1]. Gains shrink as the best comes near to
// its floor, so G and C are discounted (Garivier and Moulines, "On Upper-Confidence Bound Policies for Switching Bandit
// Problems", ALT 2011): by `discount` for each unit of cost that was spent later. Drafts that wait for their verdict or
// are being written make C(i) in the doubt larger and nothing else, so that calls side by side spread over the arms.
// An arm that was never tried comes first. `tests/benchmarks/portfolio_benchmark.cpp` shows what this brings.
//
// Cost: one pass over the population, for each draft that begins.
namespace gks {
namespace {

constexpr double discount = 0.93;  // half a weight after about ten ordinary drafts
constexpr double leastRate = 0.01; // while nothing has gained: 1 % more speed for an ordinary draft

struct Pull {
    ExperimentId experiment = 0;
    std::string writer = {};
    ExperimentKind kind = ExperimentKind::change;
    double usd = 0;
    double seconds = 0;
    double logGain = 0;
    double overParent = 0; // 0: not compared
    bool isAccepted = false;
    bool isJudged = true;
    bool isProbe = false;
    bool isTimed() const { return usd > 0 || seconds > 0; }
};

// A tuned point is the structure's that its numbers belong to.
const Kernel& structureOf(const Population& population, const Kernel& kernel) {
    const Kernel* structure = &kernel;
    while (structure->author == Author::tuner && !structure->parents.empty()) {
        const Kernel* parent = population.kernel(structure->parents.front());
        if (parent == nullptr || parent->id >= structure->id) {
            break;
        }
        structure = parent;
    }
    return *structure;
}

// By how much each kernel, with its tuned points, made the fastest of all faster.
std::map<KernelId, double> logGains(const Population& population) {
    std::map<KernelId, double> gains;
    std::optional<double> best;
    for (const Kernel& kernel : population.kernels) {
        const SpeedRatio* speed = population.speed(kernel);
        if (!isMeasuredParent(kernel) || kernel.probe || speed == nullptr || !std::isfinite(speed->ratio)) {
            continue;
        }
        const double level = std::log(speed->ratio);
        if (best && level > *best && kernel.author != Author::seed) {
            gains[structureOf(population, kernel).id] += level - *best;
        }
        best = std::max(best.value_or(level), level);
    }
    return gains;
}

double figure(double value) { // the file is a stranger's
    return std::isfinite(value) && value > 0 ? value : 0;
}

std::string nameOf(const std::string& writer) {
    return writer == ownWriter ? std::string() : writer;
}

// In the order of their experiments.
std::vector<Pull> pullsOf(const Population& population) {
    const std::map<KernelId, double> gains = logGains(population);
    std::vector<Pull> pulls;
    std::set<ExperimentId> drafted;
    for (const Kernel& kernel : population.kernels) {
        const Experiment* experiment = kernel.experiment ? population.experiment(*kernel.experiment) : nullptr;
        if (experiment == nullptr || kernel.author != Author::model) {
            continue;
        }
        drafted.insert(experiment->id);
        const auto gain = gains.find(kernel.id);
        pulls.push_back({.experiment = experiment->id,
                         .writer = nameOf(kernel.writer),
                         .kind = experiment->kind,
                         .usd = figure(kernel.draftUsd),
                         .seconds = figure(kernel.draftSeconds),
                         .logGain = gain == gains.end() ? 0 : gain->second,
                         .overParent = kernel.versusParent ? figure(kernel.versusParent->ratio) : 0,
                         .isAccepted = isAccepted(kernel),
                         .isJudged = kernel.verdict || kernel.state == KernelState::declined,
                         .isProbe = kernel.probe || experiment->kind == ExperimentKind::probe});
    }
    for (const Experiment& experiment : population.experiments) {
        if (experiment.state == ExperimentState::failed && experiment.author != Author::tuner &&
            !drafted.contains(experiment.id)) { // its writer is the one that was asked: Drafts::fail
            pulls.push_back({.experiment = experiment.id,
                             .writer = nameOf(experiment.writer),
                             .kind = experiment.kind,
                             .isProbe = experiment.kind == ExperimentKind::probe});
        }
    }
    std::stable_sort(pulls.begin(), pulls.end(),
                     [](const Pull& a, const Pull& b) { return a.experiment < b.experiment; });
    return pulls;
}

using KeyOf = std::string (*)(const Pull&); // which arm pulls

std::string writerKey(const Pull& pull) {
    return pull.writer;
}
std::string kindKey(const Pull& pull) {
    return std::string(name(pull.kind));
}

struct Arm {
    Brought brought = {};
    std::set<ExperimentId> experiments = {};
    std::int64_t timed = 0; // drafts whose cost is known
    double meanCost = 1;    // of these
    // Discounted:
    double gain = 0;
    double judged = 0; // cost of what has a verdict
    double spent = 0;  // of all
};
using Arms = std::map<std::string, Arm>;

void count(Arms& arms, const std::vector<Pull>& pulls, KeyOf keyOf) {
    for (const Pull& pull : pulls) {
        Arm& arm = arms[keyOf(pull)];
        arm.experiments.insert(pull.experiment);
        arm.timed += pull.isTimed() ? 1 : 0;
        Brought& brought = arm.brought;
        ++brought.drafts;
        brought.experiments = static_cast<std::int64_t>(arm.experiments.size());
        brought.accepted += pull.isAccepted ? 1 : 0;
        brought.bestGain = std::max(brought.bestGain, pull.isAccepted ? pull.overParent : 0);
        brought.logGain += pull.logGain;
        brought.minutes += pull.seconds / 60;
        brought.usd += pull.usd;
    }
    for (auto& [key, arm] : arms) {
        arm.brought.name = key;
        arm.brought.share = static_cast<double>(arm.brought.drafts) / std::max(1.0, static_cast<double>(pulls.size()));
    }
}

// What a draft of an average writer takes; 0: does not count.
struct OrdinaryDraft {
    double usd = 0;
    double minutes = 0;

    double cost(const Pull& pull) const {
        const int counted = (usd > 0 ? 1 : 0) + (minutes > 0 ? 1 : 0);
        const double money = usd > 0 ? pull.usd / usd : 0;
        const double time = minutes > 0 ? pull.seconds / 60 / minutes : 0;
        return counted == 0 ? 1 : (money + time) / counted;
    }
};

OrdinaryDraft ordinaryDraft(const Arms& writers) {
    OrdinaryDraft draft;
    double known = 0;
    bool isPriceKnown = true;
    for (const auto& [writer, arm] : writers) {
        isPriceKnown = isPriceKnown && arm.brought.isPriceKnown;
        if (arm.timed > 0) {
            ++known;
            draft.usd += arm.brought.usd / static_cast<double>(arm.timed);
            draft.minutes += arm.brought.minutes / static_cast<double>(arm.timed);
        }
    }
    return known == 0 ? OrdinaryDraft() : OrdinaryDraft{isPriceKnown ? draft.usd / known : 0, draft.minutes / known};
}

void weigh(Arms& arms, const std::vector<Pull>& pulls, const OrdinaryDraft& ordinary, KeyOf keyOf) {
    std::map<std::string, double> known;
    for (const Pull& pull : pulls) {
        known[keyOf(pull)] += pull.isTimed() ? ordinary.cost(pull) : 0;
    }
    for (auto& [key, arm] : arms) {
        arm.meanCost = arm.timed > 0 ? known[key] / static_cast<double>(arm.timed) : 1;
    }
    double later = 0;
    for (auto pull = pulls.rbegin(); pull != pulls.rend(); ++pull) {
        Arm& arm = arms.at(keyOf(*pull));
        const double cost = pull->isTimed() ? ordinary.cost(*pull) : arm.meanCost;
        const double weight = std::pow(discount, later);
        later += cost;
        arm.brought.cost += cost;
        arm.spent += weight * cost;
        arm.gain += weight * pull->logGain;
        arm.judged += pull->isJudged ? weight * cost : 0;
    }
}

void findBounds(Arms& arms) {
    double gain = 0;
    double judged = 0;
    double spent = 0;
    for (const auto& [key, arm] : arms) {
        gain += arm.gain;
        judged += arm.judged;
        spent += arm.spent;
    }
    const double rate = std::max(leastRate, judged > 0 ? gain / judged : 0);
    for (auto& [key, arm] : arms) {
        arm.brought.rate = arm.judged > 0 ? arm.gain / arm.judged : 0;
        arm.brought.bound = arm.spent > 0 ? (arm.judged > 0 ? arm.brought.rate : rate) +
                                                rate * std::sqrt(2 * std::log(1 + spent) / arm.spent)
                                          : std::numeric_limits<double>::infinity();
    }
}

bool isThere(const CampaignSettings& settings, const std::string& writer) {
    return hasWriter(settings.models, writer);
}

// A draft without a price of a model that is not free: nobody knows what it costs.
bool isPriceKnown(const CampaignSettings& settings, const std::string& writer, const Arm& arm) {
    const ModelChoice* choice = writerModelOf(settings.models, ModelStage::writer, writer);
    return arm.timed == 0 || arm.brought.usd > 0 || !isThere(settings, writer) || choice == nullptr || isFree(*choice);
}

// A probe is nobody's gain: those who write some are not worse for it.
std::vector<Pull> withoutProbes(std::vector<Pull> pulls) {
    std::erase_if(pulls, [](const Pull& pull) { return pull.isProbe; });
    return pulls;
}

Arms writerArms(const Population& population, const std::vector<Pull>& pulls) {
    Arms arms = {{std::string(), {}}};
    for (const std::string& writer : writersOf(population.settings.models)) {
        arms[writer];
    }
    count(arms, pulls, writerKey);
    for (auto& [writer, arm] : arms) {
        arm.brought.isPriceKnown = isPriceKnown(population.settings, writer, arm);
    }
    weigh(arms, pulls, ordinaryDraft(arms), writerKey);
    return arms;
}

// Whom a person has named and who is there.
std::optional<std::string> wished(const Population& population, const Experiment& experiment) {
    const std::string writer = nameOf(experiment.writer);
    const bool isNamed = !experiment.writer.empty() && isThere(population.settings, writer);
    return isNamed ? std::optional(writer) : std::nullopt;
}

} // namespace

std::vector<Brought> broughtByWriters(const Population& population) {
    Arms arms = writerArms(population, withoutProbes(pullsOf(population)));
    findBounds(arms);
    std::vector<Brought> rows;
    for (const bool there : {true, false}) {
        for (const auto& [writer, arm] : arms) {
            if (isThere(population.settings, writer) == there) {
                rows.push_back(arm.brought);
            }
        }
    }
    return rows;
}

std::vector<Brought> broughtByKinds(const Population& population) {
    const std::vector<Pull> pulls = pullsOf(population);
    const Arms writers = writerArms(population, withoutProbes(pulls));
    Arms arms;
    count(arms, pulls, kindKey);
    weigh(arms, pulls, ordinaryDraft(writers), kindKey);
    findBounds(arms);
    std::vector<Brought> rows;
    using enum ExperimentKind;
    for (const ExperimentKind kind : {change, rewrite, merge, dispatch, probe}) {
        if (const auto arm = arms.find(std::string(name(kind))); arm != arms.end()) {
            rows.push_back(arm->second.brought);
        }
    }
    return rows;
}

std::string kindsText(const Population& population) {
    const std::vector<Brought> kinds = broughtByKinds(population);
    if (std::none_of(kinds.begin(), kinds.end(), [](const Brought& kind) { return kind.accepted > 0; })) {
        return {};
    }
    std::string text =
        "drafts: written for this kind, repairs too. passed: of them, right and measured. best: the highest time "
        "before / time after over a parent. brought: by how much they made the fastest kernel of all faster, together. "
        "cost: what the drafts took of money and minutes, in ordinary drafts. per cost: more speed of the fastest "
        "kernel for the cost of one ordinary draft; newer drafts weigh more.\n"
        "kind | drafts | passed | best | brought | cost | per cost";
    for (const Brought& kind : kinds) {
        text += fmt::format("\n{} | {} | {} | {} | {} | {} | {}", kind.name, kind.drafts, kind.accepted,
                            kind.bestGain > 0 ? formatRatio(kind.bestGain) : "-", formatRatio(std::exp(kind.logGain)),
                            formatSignificant(kind.cost, 2), ratePercent(kind));
    }
    return text;
}

std::string nextWriter(const Population& population, const Experiment& experiment,
                       const std::vector<DraftAtWork>& atWork) {
    if (const auto writer = wished(population, experiment)) {
        return *writer;
    }
    if (writersOf(population.settings.models).empty()) {
        return {};
    }
    const std::vector<Pull> pulls = withoutProbes(pullsOf(population));
    Arms arms = writerArms(population, pulls);
    std::map<std::string, int> own; // drafts of this experiment
    for (const Pull& pull : pulls) {
        own[pull.writer] += pull.experiment == experiment.id ? 1 : 0;
    }
    for (const DraftAtWork& draft : atWork) {
        own[draft.writer] += draft.experiment == experiment.id ? 1 : 0;
        if (const auto arm = arms.find(draft.writer); arm != arms.end()) {
            arm->second.spent += arm->second.meanCost;
        }
    }
    findBounds(arms);
    std::erase_if(arms, [&](const auto& arm) { return !isThere(population.settings, arm.first); });
    return std::max_element(arms.begin(), arms.end(),
                            [&](const auto& a, const auto& b) {
                                const int before = own[a.first];
                                const int after = own[b.first];
                                return before != after ? before > after
                                                       : a.second.brought.bound < b.second.brought.bound;
                            })
        ->first;
}

std::string repairWriter(const Population& population, const Experiment& experiment, const Kernel& draft) {
    const std::string wrote = isThere(population.settings, draft.writer) ? draft.writer : std::string();
    return wished(population, experiment).value_or(wrote);
}

std::string writerLabel(std::string_view writer) {
    return std::string(writer.empty() ? ownWriter : writer);
}

std::string writerModelText(const Population& population, const std::string& writer) {
    std::vector<std::string> wrote;
    for (const Kernel& kernel : population.kernels) {
        if (kernel.author == Author::model && kernel.experiment && nameOf(kernel.writer) == writer &&
            !kernel.model.empty()) {
            std::erase(wrote, kernel.model);
            wrote.push_back(kernel.model);
        }
    }
    if (!wrote.empty()) {
        return join(wrote, ", then ");
    }
    const CampaignSettings& settings = population.settings;
    const ModelChoice* choice = writerModelOf(settings.models, ModelStage::writer, writer);
    return !isThere(settings, writer) ? "gone" : choice != nullptr ? choice->label() : "-";
}

std::string draftText(const Kernel& kernel) {
    if (kernel.author != Author::model) {
        return {};
    }
    return fmt::format("written by {}{}{}{}", writerLabel(kernel.writer),
                       kernel.model.empty() ? "" : " (" + kernel.model + ")",
                       kernel.draftSeconds > 0 ? " in " + formatSeconds(kernel.draftSeconds) : "",
                       kernel.draftUsd > 0 ? " for " + formatUsd(kernel.draftUsd) : "");
}

std::string ratePercent(const Brought& brought) {
    return brought.cost > 0 ? formatPercent(100 * std::expm1(std::min(brought.rate, 50.0))) : "-";
}

} // namespace gks
