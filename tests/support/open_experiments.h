// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/recording_bridge.h"
#include "widgets/common/actions.h"
#include "widgets/common/selection_context.h"
#include "widgets/experiments/experiments_panel.h"

#include <string>
#include <utility>
#include <vector>

namespace gks {

inline Experiment experimentWith(ExperimentId id, std::int64_t position, ExperimentState state) {
    Experiment e;
    e.id = id;
    e.position = position;
    e.parent = 1;
    e.state = state;
    e.description = "experiment " + std::to_string(id);
    e.predicted = Interval{1.05, 1.15};
    return e;
}

inline PopulationPtr populationOf(std::vector<Experiment> experiments) {
    auto population = std::make_shared<Population>();
    Kernel seed;
    seed.id = 1;
    population->kernels.push_back(seed);
    population->experiments = std::move(experiments);
    return population;
}

struct OpenPanel {
    explicit OpenPanel(std::vector<Experiment> experiments) : bridge(populationOf(std::move(experiments))) {
        panel.show();
    }

    RecordingBridge bridge;
    SelectionContext selection;
    ActionCollection actions;
    ExperimentsPanel panel{{&bridge, &selection, &actions}};
};

// In a campaign that a model writes in, so all kinds of experiments are allowed.
inline void postTwoKernels(RecordingBridge& bridge) {
    auto population = std::make_shared<Population>(*bridge.population());
    population->settings.scientist = ScientistKind::model;
    Kernel other;
    other.id = 2;
    population->kernels.push_back(other);
    bridge.post(PopulationChanged{population});
    bridge.flush();
}

} // namespace gks
