// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/scientist.h"

#include <functional>

namespace gks {

void pickThreeOfFive(std::vector<Experiment>& experiments) {
    for (Experiment& experiment : experiments) {
        experiment.pick.clear();
    }
    // The earlier one wins a tie: a designer lists its favourite first.
    const auto mark = [&](const char* reason, const std::function<double(const Experiment&)>& merit) {
        Experiment* best = nullptr;
        for (Experiment& experiment : experiments) {
            if (experiment.pick.empty() && (best == nullptr || merit(experiment) > merit(*best))) {
                best = &experiment;
            }
        }
        if (best != nullptr) {
            best->pick = reason;
        }
    };
    mark("most innovative", [](const Experiment& e) { return e.innovation; });
    mark("highest potential", [](const Experiment& e) { return e.predictedHighPercent; });
    mark("most certain", [](const Experiment& e) { return e.predictedLowPercent; });
}

} // namespace gks
