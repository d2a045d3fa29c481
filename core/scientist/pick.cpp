// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/pick.h"

#include "core/campaign/rules.h"
#include "core/campaign/stagnation.h"
#include "core/scientist/calibration.h"
#include "core/scientist/portfolio.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

namespace gks {
namespace {

using Merit = std::function<double(const Experiment&)>;

// Of equal ones the kind from which most is to be hoped for its cost, then the earlier one: a designer lists its
// favourite first.
void mark(std::vector<Experiment>& experiments, std::optional<ExperimentKind> tired, const char* reason,
          const Merit& merit, const Merit& hope) {
    Experiment* best = nullptr;
    const auto isBetter = [&](const Experiment& experiment) {
        const double by = merit(experiment);
        const double over = merit(*best);
        return by != over ? by > over : hope(experiment) > hope(*best);
    };
    for (Experiment& experiment : experiments) {
        if (experiment.pick.empty() && experiment.kind != tired && (best == nullptr || isBetter(experiment))) {
            best = &experiment;
        }
    }
    if (best != nullptr) {
        best->pick = reason;
    }
}

} // namespace

void pickExperiments(std::vector<Experiment>& experiments, PickPolicy policy, const Population& population) {
    const std::vector<CalibrationRow> rows = calibration(population);
    const auto range = [&](const Experiment& experiment) { return corrected(experiment, rows); };
    for (Experiment& experiment : experiments) {
        // What decides between designs is wanted before the next ones, and costs one evaluation.
        experiment.pick = policy == PickPolicy::all ? "all" : experiment.kind == ExperimentKind::probe ? "probe" : "";
    }
    std::size_t asked = 0;
    for (const Avenue* avenue : askedAvenues(population)) {
        const auto found = std::find_if(experiments.begin(), experiments.end(),
                                        [&](const Experiment& e) { return e.avenue == avenue->id; });
        if (found != experiments.end()) {
            found->pick = "asked for";
            ++asked;
        }
    }
    std::map<std::string, double, std::less<>> bounds; // what was never tried has none: all is to be hoped of it
    for (const Brought& kind : broughtByKinds(population)) {
        bounds[kind.name] = kind.bound;
    }
    const Merit hope = [&](const Experiment& e) {
        const auto found = bounds.find(name(e.kind));
        return found == bounds.end() ? std::numeric_limits<double>::infinity() : found->second;
    };
    const auto still = stagnation(population);
    const auto markMost = [&](const char* reason, const Merit& merit) {
        mark(experiments, still ? std::optional(still->tired) : std::nullopt, reason, merit, hope);
    };
    const Merit innovation = [](const Experiment& e) { return e.innovation; };
    const Merit low = [&](const Experiment& e) { return range(e).low; };
    const Merit high = [&](const Experiment& e) { return range(e).high; };
    const Merit expected = [&](const Experiment& e) { return range(e).low * range(e).high; }; // of the middle, squared
    for (std::size_t i = 0; i + asked < pickCount; ++i) {
        switch (policy) {
        case PickPolicy::threeOfFive: // the paper's: one of each
            i == 0   ? markMost("most innovative", innovation)
            : i == 1 ? markMost("highest potential", high)
                     : markMost("most certain", low);
            break;
        case PickPolicy::highestExpected:
            markMost("highest expected", expected);
            break;
        case PickPolicy::mostCertain:
            markMost("most certain", low);
            break;
        case PickPolicy::mostInnovative:
            markMost("most innovative", innovation);
            break;
        case PickPolicy::all:
            break;
        }
    }
}

} // namespace gks
