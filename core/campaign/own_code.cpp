// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/own_code.h"

#include "core/base/one_line.h"
#include "core/base/text.h"
#include "core/campaign/limits.h"

#include <algorithm>

namespace gks {

bool isWrittenByPerson(const Experiment& experiment, const CampaignSettings& settings) {
    return experiment.author == Author::person && experiment.tunables.empty() &&
           settings.scientist == ScientistKind::tuner;
}

bool needsOwnCode(const Experiment& experiment, const CampaignSettings& settings) {
    return experiment.state == ExperimentState::approved && isWrittenByPerson(experiment, settings);
}

std::string ownCodeTitle(const Experiment& experiment) {
    return std::string(trimmed(
        abbreviated(withoutControls(std::string(trimmed(experiment.description))), limits::kernelTitleCharacters)));
}

const Experiment* experimentOfOwnCode(const Population& population, KernelId parent, std::string_view title) {
    const auto found = std::ranges::find_if(population.experiments, [&](const Experiment& experiment) {
        return needsOwnCode(experiment, population.settings) && experiment.parent == parent &&
               ownCodeTitle(experiment) == trimmed(title);
    });
    return found == population.experiments.end() ? nullptr : &*found;
}

} // namespace gks
