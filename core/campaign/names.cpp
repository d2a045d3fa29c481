// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/names.h"

namespace gks {

Result<Author> authorFromName(std::string_view text) {
    return enumFromName(text, {Author::seed, Author::person, Author::model, Author::tuner, Author::engine}, "author");
}

Result<KernelState> kernelStateFromName(std::string_view text) {
    using enum KernelState;
    return enumFromName(text, {proposed, waiting, screening, evaluating, evaluated, declined}, "kernel state");
}

Result<ExperimentState> experimentStateFromName(std::string_view text) {
    using enum ExperimentState;
    return enumFromName(text, {proposed, notPicked, approved, rejected, writing, evaluating, done, failed},
                        "experiment state");
}

Result<ExperimentKind> experimentKindFromName(std::string_view text) {
    using enum ExperimentKind;
    return enumFromName(text, {change, rewrite, merge, dispatch, probe}, "kind of experiment");
}

Result<Mode> modeFromName(std::string_view text) {
    return enumFromName(text, {Mode::automatic, Mode::approveExperiments, Mode::step}, "mode");
}

Result<ScientistKind> scientistKindFromName(std::string_view text) {
    return enumFromName(text, {ScientistKind::tuner, ScientistKind::model}, "scientist");
}

Result<FindingState> findingStateFromName(std::string_view text) {
    using enum FindingState;
    return enumFromName(text, {standing, contradicted, dismissed}, "state of a finding");
}

Result<SelectorPolicy> selectorPolicyFromName(std::string_view text) {
    using enum SelectorPolicy;
    return enumFromName(text, {model, best, upperConfidence, leastExplored}, "way to choose the parent");
}

Result<PickPolicy> pickPolicyFromName(std::string_view text) {
    using enum PickPolicy;
    return enumFromName(text, {threeOfFive, highestExpected, mostCertain, mostInnovative, all},
                        "way to pick experiments");
}

} // namespace gks
