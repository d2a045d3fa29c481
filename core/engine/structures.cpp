// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/structures.h"

#include "core/campaign/ranking.h"
#include "core/campaign/rules.h"
#include "core/scientist/tunables.h"

#include <algorithm>
#include <string_view>

namespace gks {
void Structures::follow(PopulationPtr population) {
    m_population = std::move(population);
}

bool Structures::areTuned() const {
    const CampaignSettings& settings = m_population->settings;
    return settings.policies.tuningEvaluations > 0 && settings.scientist == ScientistKind::model;
}

bool Structures::isPoint(const Experiment& experiment) const {
    return experiment.author == Author::tuner && m_population->settings.scientist == ScientistKind::model;
}

const std::string& Structures::keyOf(const Kernel& kernel) const {
    const auto [at, isNew] = m_keys.try_emplace(kernel.id);
    if (isNew) {
        at->second = structureOf(kernel.source.orNothing());
    }
    return at->second;
}

const Kernel* Structures::parentOf(const Kernel& kernel) const {
    return kernel.parents.empty() ? nullptr : m_population->kernel(kernel.parents.front());
}

const Kernel* Structures::fastestLike(const Kernel& kernel) const {
    const std::string& structure = keyOf(kernel);
    const Kernel* fastest = nullptr;
    for (const Kernel& other : m_population->kernels) {
        if (isMeasuredParent(other) && keyOf(other) == structure &&
            (fastest == nullptr || isFaster(*m_population, other, *fastest))) {
            fastest = &other;
        }
    }
    return fastest;
}

// It brought its structure into the campaign, and can be tuned.
bool Structures::isRoot(const Kernel& kernel) const {
    const Kernel* parent = parentOf(kernel);
    const bool written = kernel.author == Author::model || kernel.author == Author::person;
    return written && parent != nullptr && keyOf(*parent) != keyOf(kernel) &&
           !findTunables(kernel.source.orNothing()).empty();
}

std::vector<const Kernel*> Structures::roots() const {
    std::vector<const Kernel*> found;
    std::set<std::string_view> seen;
    for (const Kernel& kernel : m_population->kernels) {
        if (isMeasuredParent(kernel) && seen.insert(keyOf(kernel)).second && isRoot(kernel)) {
            found.push_back(&kernel);
        }
    }
    return found;
}

const Kernel* Structures::rootOf(const Kernel& kernel) const {
    const auto all = roots();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Kernel* root) { return keyOf(*root) == keyOf(kernel); });
    return found == all.end() ? nullptr : *found;
}

Structures::Phase Structures::phaseOf(const Kernel& root) const {
    Phase phase;
    const std::string& structure = keyOf(root);
    for (const Experiment& experiment : m_population->experiments) {
        const Kernel* parent = m_population->kernel(experiment.parent);
        if (!isPoint(experiment) || parent == nullptr || keyOf(*parent) != structure ||
            experiment.state == ExperimentState::rejected || experiment.state == ExperimentState::notPicked) {
            continue;
        }
        ++phase.points;
        phase.open = phase.open || !isOver(experiment);
    }
    const auto wanted = static_cast<std::size_t>(std::max(0, m_population->settings.policies.tuningEvaluations));
    const bool searched = phase.points >= wanted || m_searched.contains(root.id);
    const Experiment* experiment = root.experiment ? m_population->experiment(*root.experiment) : nullptr;
    phase.wantsPoint = !searched;
    phase.wantsDuel = searched && !phase.open && phase.points > 0 && experiment != nullptr && !experiment->tunedGain &&
                      !m_duelled.contains(root.id);
    return phase;
}

std::size_t Structures::pointsOf(const Kernel& root) const {
    return phaseOf(root).points;
}

bool Structures::areOpen() const {
    if (!areTuned()) {
        return false;
    }
    const auto& kernels = m_population->kernels;
    const bool rootAwaited = std::any_of(kernels.begin(), kernels.end(), [this](const Kernel& kernel) {
        return mayStillBeJudged(kernel) && isRoot(kernel);
    });
    const auto all = roots();
    return rootAwaited || std::any_of(all.begin(), all.end(), [this](const Kernel* root) {
               const Phase phase = phaseOf(*root);
               return phase.open || phase.wantsPoint || phase.wantsDuel;
           });
}

const Kernel* Structures::dueRoot() const {
    if (!areTuned()) {
        return nullptr;
    }
    const auto all = roots();
    const auto due =
        std::find_if(all.begin(), all.end(), [this](const Kernel* root) { return phaseOf(*root).wantsPoint; });
    return due == all.end() ? nullptr : *due;
}

std::optional<Structures::Duel> Structures::dueDuel() const {
    if (!areTuned()) {
        return std::nullopt;
    }
    for (const Kernel* root : roots()) {
        const Kernel* rival = fastestLike(*parentOf(*root));
        if (rival != nullptr && phaseOf(*root).wantsDuel) {
            return Duel{root, fastestLike(*root), rival};
        }
    }
    return std::nullopt;
}

void Structures::setDuelled(KernelId root, bool duelled) {
    duelled ? void(m_duelled.insert(root)) : void(m_duelled.erase(root));
}

void Structures::forgetRun() {
    m_searched.clear();
    m_duelled.clear();
}

} // namespace gks
