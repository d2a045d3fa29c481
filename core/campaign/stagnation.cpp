// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/stagnation.h"

#include "core/base/counted.h"
#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace gks {
namespace {

struct KindTally {
    std::int64_t count = 0;
    std::optional<double> bestGain = {};
};

std::string tallyText(ExperimentKind kind, const KindTally& tally) {
    return fmt::format("{} of kind {} (best gain over the parent: {})", tally.count, name(kind),
                       tally.bestGain ? formatRatio(*tally.bestGain) : "none measured");
}

// Of kinds that were tried equally often the newest.
ExperimentKind mostTried(const std::vector<const Experiment*>& tried) {
    std::map<ExperimentKind, int> counts;
    ExperimentKind most = tried.back()->kind;
    for (const Experiment* experiment : tried) {
        if (++counts[experiment->kind] >= counts[most]) {
            most = experiment->kind;
        }
    }
    return most;
}

} // namespace

std::vector<const Experiment*> endedSinceBest(const Population& population) {
    std::vector<const Experiment*> ended;
    const Kernel* best = population.best ? population.kernel(*population.best) : nullptr;
    if (best == nullptr) {
        return ended;
    }
    for (const Experiment& one : population.experiments) {
        const bool isOver = (one.state == ExperimentState::done || one.state == ExperimentState::failed) &&
                            one.kind != ExperimentKind::probe; // that cannot bring one
        if (isOver && (one.kernel ? *one.kernel > best->id : one.id > best->experiment.value_or(0))) {
            ended.push_back(&one);
        }
    }
    return ended;
}

std::optional<Stagnation> stagnation(const Population& population) {
    const auto patience = static_cast<std::size_t>(std::max(population.settings.policies.stagnation, 0));
    std::vector<const Experiment*> tried = endedSinceBest(population);
    std::erase_if(tried, [](const Experiment* one) { return one->author == Author::tuner; });
    if (population.settings.scientist != ScientistKind::model || patience == 0 || tried.size() < patience) {
        return std::nullopt;
    }
    std::map<ExperimentKind, KindTally> tallies;
    for (const Experiment* one : tried) {
        KindTally& tally = tallies[one->kind];
        ++tally.count;
        if (one->measuredGain) {
            tally.bestGain = std::max(tally.bestGain.value_or(0), *one->measuredGain);
        }
    }
    std::vector<std::string> kinds;
    for (const auto& [kind, tally] : tallies) {
        kinds.push_back(tallyText(kind, tally));
    }
    const auto count = static_cast<std::int64_t>(tried.size());
    const ExperimentKind tired = mostTried({tried.end() - static_cast<std::ptrdiff_t>(patience), tried.end()});
    return Stagnation{count, tired,
                      fmt::format("{} in a row brought no new best since {}: {}; the next round is asked for another "
                                  "kind than {}",
                                  counted(count, "experiment"), kernelLabel(*population.best), join(kinds, ", "),
                                  name(tired))};
}

} // namespace gks
