// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loop.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

// Structure before numbers: with Policies::tuningEvaluations a new structure of a model or a person is not judged by
// the values that its writer happened to choose. So many points of it are evaluated first, as experiments of the tuner;
// then its fastest kernel is compared with the fastest kernel of its parent's structure, and the gain is that of the
// experiment which led to the structure. Which structure is tuned how far is read from the population every time: the
// root of a structure is its oldest accepted kernel, its points are the tuner's experiments on any of its kernels, and
// it is judged when the root's experiment has its tuned gain.
namespace gks {
namespace {

bool isUsable(const Kernel& kernel) {
    return kernel.verdict && isAccepted(*kernel.verdict) && kernel.geomeanUs > 0 && !kernel.banned;
}

} // namespace

bool Loop::tunesStructures() const {
    const CampaignSettings& settings = m_population->settings;
    return settings.policies.tuningEvaluations > 0 && settings.scientist == ScientistKind::model;
}

bool Loop::isTuning(const Experiment& experiment) const {
    return experiment.author == Author::tuner && m_population->settings.scientist == ScientistKind::model;
}

const std::string& Loop::structureKey(const Kernel& kernel) const {
    const auto [at, isNew] = m_structures.try_emplace(kernel.id);
    if (isNew) {
        at->second = structureOf(kernel.source);
    }
    return at->second;
}

const Kernel* Loop::fastestOf(const std::string& structure) const {
    const Kernel* fastest = nullptr;
    for (const Kernel& kernel : m_population->kernels) {
        if (isUsable(kernel) && structureKey(kernel) == structure &&
            (fastest == nullptr || kernel.geomeanUs < fastest->geomeanUs)) {
            fastest = &kernel;
        }
    }
    return fastest;
}

// The first usable kernel of a structure is its root when it brought the structure into the campaign and can be tuned.
bool Loop::isRoot(const Kernel& kernel) const {
    const Kernel* parent = kernel.parents.empty() ? nullptr : m_population->kernel(kernel.parents.front());
    const bool written = kernel.author == Author::model || kernel.author == Author::person;
    return written && parent != nullptr && structureKey(*parent) != structureKey(kernel) &&
           !findTunables(kernel.source).empty();
}

// What is still to be done for the structure of a root.
Loop::TuningPhase Loop::phaseOf(const Kernel& root) const {
    TuningPhase phase;
    const std::string& structure = structureKey(root);
    for (const Experiment& experiment : m_population->experiments) {
        const Kernel* parent = m_population->kernel(experiment.parent);
        if (!isTuning(experiment) || parent == nullptr || structureKey(*parent) != structure ||
            experiment.state == ExperimentState::rejected || experiment.state == ExperimentState::notPicked) {
            continue;
        }
        ++phase.points;
        phase.open =
            phase.open || (experiment.state != ExperimentState::done && experiment.state != ExperimentState::failed);
    }
    const bool searched =
        phase.points >= m_population->settings.policies.tuningEvaluations || m_searched.contains(root.id);
    const Experiment* experiment = root.experiment ? m_population->experiment(*root.experiment) : nullptr;
    phase.wantsPoint = !searched;
    phase.wantsDuel = searched && !phase.open && phase.points > 0 && experiment != nullptr &&
                      !experiment->tunedGainPercent && !m_duelled.contains(root.id);
    return phase;
}

const Kernel* Loop::rootOf(const Kernel& kernel) const {
    const auto all = roots();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Kernel* root) { return structureKey(*root) == structureKey(kernel); });
    return found == all.end() ? nullptr : *found;
}

std::vector<const Kernel*> Loop::roots() const {
    std::vector<const Kernel*> found;
    std::set<std::string_view> seen;
    for (const Kernel& kernel : m_population->kernels) {
        if (isUsable(kernel) && seen.insert(structureKey(kernel)).second && isRoot(kernel)) {
            found.push_back(&kernel);
        }
    }
    return found;
}

bool Loop::isTuningStructures() const {
    if (!tunesStructures()) {
        return false;
    }
    const auto& kernels = m_population->kernels;
    const bool rootAwaited = std::any_of(kernels.begin(), kernels.end(), [this](const Kernel& kernel) {
        return !kernel.verdict && !kernel.heldBack && isRoot(kernel);
    });
    const auto all = roots();
    return rootAwaited || std::any_of(all.begin(), all.end(), [this](const Kernel* root) {
               const TuningPhase phase = phaseOf(*root);
               return phase.open || phase.wantsPoint || phase.wantsDuel;
           });
}

// Drafts points until every lane has work. Experiments of the tuner that have no kernel yet come first, after a kill or
// when the campaign had another scientist before: no model is asked to set a number.
void Loop::startTuning() {
    while (m_state == EngineState::running && !hasEnoughDrafts()) {
        const auto& experiments = m_population->experiments;
        const auto left = std::find_if(experiments.begin(), experiments.end(), [this](const Experiment& experiment) {
            return isTuning(experiment) && experiment.state == ExperimentState::approved;
        });
        if (left != experiments.end()) {
            const Experiment experiment = *left;
            drafted(experiment, tuner().write(briefing(), experiment, {}));
            refresh();
            continue;
        }
        if (!tunesStructures()) {
            return;
        }
        const auto all = roots();
        const auto due =
            std::find_if(all.begin(), all.end(), [this](const Kernel* root) { return phaseOf(*root).wantsPoint; });
        if (due == all.end() || !proposePoint(**due)) {
            return;
        }
    }
}

// False when the campaign cannot be written.
bool Loop::proposePoint(const Kernel& root) {
    const KernelId rootId = root.id;
    const Kernel* basis = fastestOf(structureKey(root));
    auto proposals = tuner().design(briefing(), {basis->id, {}, {}}, {});
    if (!proposals || proposals->empty()) {
        m_searched.insert(rootId);
        if (!proposals) {
            warn(proposals.error(), "tuner", rootId);
        }
        return true;
    }
    Experiment experiment = std::move(proposals->front());
    const Experiment* origin = root.experiment ? m_population->experiment(*root.experiment) : nullptr;
    experiment.round = origin != nullptr ? origin->round : 0; // no round of its own: nobody is to decide on it
    experiment.pick.clear();
    experiment.state = ExperimentState::approved;
    if (phaseOf(root).points == 0 &&
        !stored(m_store->addSteering({0, Author::engine, "tune structure",
                                      fmt::format("{}: up to {} evaluations before it is judged", kernelLabel(rootId),
                                                  m_population->settings.policies.tuningEvaluations),
                                      0}))) {
        return false;
    }
    const bool added = stored(m_store->addExperiments({std::move(experiment)}));
    refresh();
    return added;
}

// A structure whose points are all measured is compared, tuned against tuned. True when the lane has work.
bool Loop::startDuel(Lane& lane) {
    if (!tunesStructures()) {
        return false;
    }
    for (const Kernel* root : roots()) {
        const Kernel* parent = m_population->kernel(root->parents.front());
        const Kernel* rival = parent == nullptr ? nullptr : fastestOf(structureKey(*parent));
        if (rival == nullptr || !phaseOf(*root).wantsDuel) {
            continue;
        }
        const Kernel* fastest = fastestOf(structureKey(*root));
        m_duelled.insert(root->id); // in this run; a kill makes it due again
        evaluate(lane, *fastest, rival, tunedPurpose);
        return true;
    }
    return false;
}

void Loop::keepDuel(const Evaluation& evaluation) {
    const Kernel* kernel = m_population->kernel(evaluation.kernel);
    const Kernel* root = kernel == nullptr ? nullptr : rootOf(*kernel);
    const Experiment* known =
        root != nullptr && root->experiment ? m_population->experiment(*root->experiment) : nullptr;
    if (evaluation.verdict.kind == VerdictKind::infrastructureFailed && root != nullptr) {
        m_duelled.erase(root->id);
    }
    if (known == nullptr || !evaluation.verdict.comparison || !isAccepted(evaluation.verdict.kind)) {
        return;
    }
    const ComparisonFact& fact = *evaluation.verdict.comparison;
    Experiment experiment = *known;
    experiment.tunedGainPercent = (1 - 1 / fact.ratio) * 100;
    const std::string detail = fmt::format("{} at its best, {}, against {}: {} ({})", kernelLabel(root->id),
                                           kernelLabel(kernel->id), kernelLabel(evaluation.baseline.value_or(0)),
                                           formatRatio(fact.ratio, fact.ci95), name(fact.verdict));
    if (stored(m_store->updateExperiment(experiment, {0, Author::engine, "judge tuned structure", detail, 0}))) {
        refresh();
    }
}

Scientist& Loop::tuner() {
    if (!m_tuner) {
        m_tuner = makeTuner();
    }
    return *m_tuner;
}

} // namespace gks
