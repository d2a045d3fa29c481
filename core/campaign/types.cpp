// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/types.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace gks {

namespace {

// The lists are kept in the order of their ids.
template<class T>
const T* findById(const std::vector<T>& items, std::int64_t id) {
    const auto at = std::lower_bound(items.begin(), items.end(), id,
                                     [](const T& item, std::int64_t wanted) { return item.id < wanted; });
    return at != items.end() && at->id == id ? &*at : nullptr;
}

} // namespace

std::string kernelLabel(KernelId id) {
    return fmt::format("{:05}", id);
}

std::string avenueLabel(AvenueId id) {
    return fmt::format("A{}", id);
}

Timestamp now() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

std::string_view name(Author author) {
    switch (author) {
    case Author::seed:
        return "seed";
    case Author::person:
        return "person";
    case Author::model:
        return "model";
    case Author::tuner:
        return "tuner";
    case Author::engine:
        return "engine";
    }
    return "";
}

std::string_view name(KernelState state) {
    switch (state) {
    case KernelState::proposed:
        return "proposed";
    case KernelState::waiting:
        return "waiting";
    case KernelState::screening:
        return "screening";
    case KernelState::evaluating:
        return "evaluating";
    case KernelState::evaluated:
        return "evaluated";
    case KernelState::declined:
        return "declined";
    }
    return "";
}

std::string_view name(ExperimentState state) {
    switch (state) {
    case ExperimentState::proposed:
        return "proposed";
    case ExperimentState::notPicked:
        return "not-picked";
    case ExperimentState::approved:
        return "approved";
    case ExperimentState::rejected:
        return "rejected";
    case ExperimentState::writing:
        return "writing";
    case ExperimentState::evaluating:
        return "evaluating";
    case ExperimentState::done:
        return "done";
    case ExperimentState::failed:
        return "failed";
    }
    return "";
}

std::string_view name(ExperimentKind kind) {
    switch (kind) {
    case ExperimentKind::change:
        return "change";
    case ExperimentKind::rewrite:
        return "rewrite";
    case ExperimentKind::merge:
        return "merge";
    case ExperimentKind::dispatch:
        return "dispatch";
    case ExperimentKind::probe:
        return "probe";
    }
    return "";
}

std::string_view name(Mode mode) {
    switch (mode) {
    case Mode::automatic:
        return "automatic";
    case Mode::approveExperiments:
        return "approve-experiments";
    case Mode::step:
        return "step";
    }
    return "";
}

std::string_view name(ScientistKind kind) {
    switch (kind) {
    case ScientistKind::tuner:
        return "tuner";
    case ScientistKind::model:
        return "model";
    }
    return "";
}

std::string_view name(FindingState state) {
    switch (state) {
    case FindingState::standing:
        return "standing";
    case FindingState::contradicted:
        return "contradicted";
    case FindingState::dismissed:
        return "dismissed";
    }
    return "";
}

std::string_view name(SelectorPolicy policy) {
    switch (policy) {
    case SelectorPolicy::model:
        return "model";
    case SelectorPolicy::best:
        return "best";
    case SelectorPolicy::upperConfidence:
        return "upper-confidence";
    case SelectorPolicy::leastExplored:
        return "least-explored";
    }
    return "";
}

std::string_view name(PickPolicy policy) {
    switch (policy) {
    case PickPolicy::threeOfFive:
        return "three-of-five";
    case PickPolicy::highestExpected:
        return "highest-expected";
    case PickPolicy::mostCertain:
        return "most-certain";
    case PickPolicy::mostInnovative:
        return "most-innovative";
    case PickPolicy::all:
        return "all";
    }
    return "";
}

const Kernel* Population::kernel(KernelId id) const {
    const Kernel* found = findById(kernels, id);
    return found != nullptr ? found : findById(probes, id);
}

const Experiment* Population::experiment(ExperimentId id) const {
    return findById(experiments, id);
}

const Round* Population::round(std::int64_t id) const {
    return findById(rounds, id);
}

const Avenue* Population::avenue(AvenueId id) const {
    return findById(avenues, id);
}

const Experiment* Population::takenUpBy(AvenueId id) const {
    const auto found = std::find_if(experiments.begin(), experiments.end(),
                                    [id](const Experiment& experiment) { return experiment.avenue == id; });
    return found == experiments.end() ? nullptr : &*found;
}

std::int64_t Population::newestRound() const {
    std::int64_t newest = rounds.empty() ? 0 : rounds.back().id;
    for (const Experiment& experiment : experiments) {
        newest = std::max(newest, experiment.round);
    }
    return newest;
}

const Finding* Population::finding(std::int64_t id) const {
    return findById(findings, id);
}

const Document* Population::document(std::int64_t id) const {
    return findById(documents, id);
}

std::vector<KernelId> Population::ancestry(KernelId id) const {
    std::vector<KernelId> path;
    // A kernel's parents are older than itself; a damaged file must not send us round in a circle.
    for (const Kernel* at = kernel(id); at != nullptr && (path.empty() || at->id < path.back());) {
        path.push_back(at->id);
        at = at->parents.empty() ? nullptr : kernel(at->parents.front());
    }
    std::reverse(path.begin(), path.end());
    return path;
}

} // namespace gks
