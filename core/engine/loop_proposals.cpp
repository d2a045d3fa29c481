// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"
#include "core/campaign/model_stages.h"
#include "core/campaign/normalized_source.h"
#include "core/campaign/rules.h"
#include "core/engine/loop.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

// What becomes of proposals. A round is over when nothing of it is still to be decided, written or judged; what was not
// picked by then is set aside, and a person may still approve it. A proposal that comes again, from another parent or
// in a later round, is the earlier one taken up again: the list shows an idea once.
namespace gks {
namespace {

// The source that an experiment of the tuner leads to: the same point of the same structure, whatever the parent is.
std::string tunedSource(const Population& population, const Experiment& experiment) {
    const Kernel* parent = population.kernel(experiment.parent);
    return parent == nullptr
               ? std::string()
               : normalizedSource(withTunables(parent->source, experiment.tunables).value_or(std::string()));
}

} // namespace

// Proposals of the newest round that are meant to be run and that nobody has decided on.
std::size_t Loop::undecided() const {
    std::int64_t newest = 0;
    for (const Experiment& experiment : m_population->experiments) {
        newest = std::max(newest, experiment.round);
    }
    return static_cast<std::size_t>(
        std::count_if(m_population->experiments.begin(), m_population->experiments.end(), [&](const Experiment& e) {
            return e.round == newest && e.state == ExperimentState::proposed && !e.pick.empty();
        }));
}

Author Loop::planner() const {
    if (m_scientist) {
        return m_scientist->author();
    }
    return m_population->settings.scientist == ScientistKind::tuner ? Author::tuner : Author::model;
}

void Loop::designed(const Result<std::vector<Experiment>>& proposals) {
    if (!proposals) {
        if (proposals.error().kind == ErrorKind::kernel) {
            m_exhausted = true;
            warn(proposals.error(), std::string(name(ModelStage::designer)));
        } else if (proposals.error().kind != ErrorKind::cancelled) {
            halt(proposals.error(), std::string(name(ModelStage::designer)));
        }
        return;
    }
    if (proposals->empty()) {
        m_exhausted = true;
        return;
    }
    std::int64_t round = 0;
    std::int64_t position = 0;
    for (const Experiment& experiment : m_population->experiments) {
        round = std::max(round, experiment.round);
        position = std::max(position, experiment.position);
    }
    const bool approveAll = m_population->settings.mode != Mode::approveExperiments;
    std::vector<Experiment> fresh;
    bool any = false;
    for (Experiment experiment : *proposals) {
        experiment.round = round + 1;
        experiment.state =
            approveAll && !experiment.pick.empty() ? ExperimentState::approved : ExperimentState::proposed;
        const Experiment* earlier = sameProposal(experiment);
        if (earlier != nullptr && isUnderWay(*earlier)) {
            continue;
        }
        any = any || !experiment.pick.empty();
        if (earlier == nullptr) {
            fresh.push_back(std::move(experiment));
        } else if (!takeUpAgain(*earlier, std::move(experiment), ++position)) {
            return;
        }
    }
    if (!any) { // a round of which nothing is to be run would be designed again and again
        m_exhausted = true;
    }
    m_roundDesigned = true;
    stored(m_store->addExperiments(std::move(fresh)));
}

const Experiment* Loop::sameProposal(const Experiment& fresh) const {
    const auto same = [&](const Experiment& earlier) {
        if (earlier.tunables != fresh.tunables) {
            return false;
        }
        if (fresh.tunables.empty()) { // words mean the same change only as long as nothing came of them
            return isUndecided(earlier) && earlier.description == fresh.description && earlier.rubric == fresh.rubric;
        }
        return (isUndecided(earlier) || isUnderWay(earlier)) &&
               (earlier.parent == fresh.parent ||
                tunedSource(*m_population, earlier) == tunedSource(*m_population, fresh));
    };
    const auto& all = m_population->experiments;
    const auto found = std::find_if(all.rbegin(), all.rend(), same);
    return found == all.rend() ? nullptr : &*found;
}

bool Loop::takeUpAgain(const Experiment& earlier, Experiment fresh, std::int64_t position) {
    fresh.id = earlier.id;
    fresh.position = position;
    fresh.createdAt = earlier.createdAt;
    if (earlier.editedByPerson) { // what a person wrote is kept
        fresh.description = earlier.description;
        fresh.rubric = earlier.rubric;
        fresh.editedByPerson = true;
    }
    return stored(m_store->updateExperiment(fresh, {0, planner(), "propose again", title(fresh), 0}));
}

void Loop::retireProposals() {
    const PopulationPtr held = m_population;
    std::set<std::int64_t> going;
    std::vector<const Experiment*> left;
    for (const Experiment& experiment : held->experiments) {
        const bool proposed = experiment.state == ExperimentState::proposed;
        if (isUnderWay(experiment) || (proposed && !experiment.pick.empty())) {
            going.insert(experiment.round);
        } else if (proposed) {
            left.push_back(&experiment);
        }
    }
    std::erase_if(left, [&](const Experiment* experiment) { return going.contains(experiment->round); });
    for (const Experiment* experiment : left) {
        Experiment retired = *experiment;
        retired.state = ExperimentState::notPicked;
        if (!stored(m_store->updateExperiment(retired, {0, planner(), "set experiment aside", title(retired), 0}))) {
            return;
        }
    }
    if (!left.empty()) {
        refresh();
    }
}

} // namespace gks
