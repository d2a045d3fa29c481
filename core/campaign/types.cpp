// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/types.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace gks {

namespace {

// The lists are kept in the order of their ids. Those count from 1, so of a list that has them all the place is known.
template<class List>
std::optional<std::size_t> placeById(const List& items, std::int64_t id) {
    const auto place = static_cast<std::size_t>(id - 1);
    if (id > 0 && place < items.size() && items[place].id == id) {
        return place;
    }
    const auto at = std::lower_bound(items.begin(), items.end(), id,
                                     [](const auto& item, std::int64_t wanted) { return item.id < wanted; });
    return at != items.end() && at->id == id ? std::optional(static_cast<std::size_t>(at - items.begin()))
                                             : std::nullopt;
}

template<class List>
auto findById(const List& items, std::int64_t id) -> decltype(&items[0]) {
    const auto place = placeById(items, id);
    return place ? &items[*place] : nullptr;
}

} // namespace

std::size_t KernelSpeeds::placeOf(std::int64_t kernel) const {
    const auto at = std::lower_bound(m_all.begin(), m_all.end(), kernel,
                                     [](const OfKernel& one, std::int64_t wanted) { return one.kernel < wanted; });
    return static_cast<std::size_t>(at - m_all.begin());
}

const SpeedRatio* KernelSpeeds::of(std::int64_t kernel) const {
    const std::size_t place = placeOf(kernel);
    return place < m_all.size() && m_all[place].kernel == kernel ? &m_all[place].speed : nullptr;
}

void KernelSpeeds::set(std::int64_t kernel, const SpeedRatio& speed) {
    const std::size_t place = m_all.empty() || m_all.back().kernel < kernel ? m_all.size() : placeOf(kernel);
    if (place < m_all.size() && m_all[place].kernel == kernel) {
        m_all.edit(place).speed = speed;
    } else {
        m_all.insert(place, {kernel, speed});
    }
}

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

std::optional<std::size_t> Population::placeOf(KernelId kernel) const {
    return placeById(kernels, kernel);
}

const SpeedRatio* Population::speed(const Kernel& kernel) const {
    return speeds.of(kernel.id);
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
