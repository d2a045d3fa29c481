// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/rules.h"
#include "core/engine/command_desk.h"

// What a person says of the parents of further kernels.
namespace gks {

void CommandDesk::handle(const command::PinParent& pin) {
    changeSettings(pin, [&](CampaignSettings& settings) {
        settings.pinnedParent = pin.parent;
        settings.pinnedReference = pin.reference;
    });
    cancelPlanning();
    tellPin(pin);
}

void CommandDesk::tellPin(const command::PinParent& pin) {
    m.outlet.emit(
        NextParentChanged{pin.parent, pin.reference, pin.parent ? "pinned by you" : "", pin.parent.has_value()});
}

void CommandDesk::handle(const command::SetBanned& set) {
    const command::PinParent before = pinOf(m.run.population().settings);
    const command::PinParent pin = set.banned ? pinWithout(before, set.kernel) : set.pin.value_or(before);
    CampaignSettings settings = m.run.population().settings;
    settings.pinnedParent = pin.parent;
    settings.pinnedReference = pin.reference;
    if (!m.run.stored(m.run.store().setBanned(set.kernel, set.banned, historyLine(set),
                                              pin != before ? std::optional(settings) : std::nullopt))) {
        return;
    }
    m.run.notes.exhausted = false;
    if (set.banned || pin != before) {
        cancelPlanning();
    }
    if (pin != before) {
        tellPin(pin);
    }
    const std::string banned = bannedParentText(set.kernel);
    const PopulationPtr held = m.campaign.population();
    for (Experiment experiment : held->experiments) {
        if (experiment.parent != set.kernel) {
            continue;
        }
        if (set.banned && isOpen(experiment) && mayBeRejected(experiment)) {
            experiment.state = ExperimentState::rejected;
            experiment.failure = banned;
        } else if (!set.banned && experiment.state == ExperimentState::rejected && experiment.failure == banned) {
            experiment.state = ExperimentState::notPicked; // its round may be over; a person can still approve it
            experiment.failure.clear();
        } else {
            continue;
        }
        m.run.stored(m.run.store().updateExperiment(experiment));
    }
}

} // namespace gks
