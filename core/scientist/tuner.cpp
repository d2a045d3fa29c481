// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/campaign/normalized_source.h"
#include "core/campaign/ranking.h"
#include "core/campaign/rules.h"
#include "core/scientist/pick.h"
#include "core/scientist/scientist.h"
#include "core/scientist/search_space.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <set>

// The scientist that needs no language model: it keeps the structure of a kernel and searches its numeric tunables, in
// the same three stages. Kernels that differ in nothing but the values of their tunables are one structure; what was
// measured of any of them teaches about all. Everything is derived from the population, so a campaign that goes on
// later goes on as if it had never stopped.
namespace gks {
namespace {

constexpr std::size_t proposalCount = 5;

// "TILE 32x64, unroll 4": names that differ in their last letter only share one entry.
std::string titleOf(const std::vector<Tunable>& tunables, const std::map<std::string, std::string>& values) {
    std::vector<std::pair<std::string, std::string>> entries; // label, values
    const auto stem = [](const std::string& name) {
        const std::size_t at = name.rfind('_');
        return at != std::string::npos && at + 2 == name.size() ? name.substr(0, at) : std::string();
    };
    for (const Tunable& tunable : tunables) {
        const auto value = values.find(tunable.name);
        const std::string& shown = value == values.end() ? tunable.current : value->second;
        const std::string shared = stem(tunable.name);
        const auto siblings = std::count_if(tunables.begin(), tunables.end(),
                                            [&](const Tunable& other) { return stem(other.name) == shared; });
        if (shared.empty() || siblings < 2) {
            entries.emplace_back(replaceAll(lowered(tunable.name), "_", " "), shown);
        } else if (!entries.empty() && entries.back().first == shared) {
            entries.back().second += "x" + shown;
        } else {
            entries.emplace_back(shared, shown);
        }
    }
    std::vector<std::string> parts;
    for (const auto& [label, shown] : entries) {
        parts.push_back(label + " " + shown);
    }
    return abbreviated(join(parts, ", "), 120);
}

// What is known of one structure.
struct Structure {
    SearchSpace space;
    std::vector<Observation> observations;
    std::set<TuningPoint> tried;

    // Of points that may be tried. A space that is too large to be counted is never exhausted.
    std::uint64_t known() const {
        return static_cast<std::uint64_t>(std::count_if(tried.begin(), tried.end(), [&](const TuningPoint& point) {
            return std::all_of(point.begin(), point.end(), [](int value) { return value >= 0; }) && space.allows(point);
        }));
    }
    bool exhausted() const {
        const auto allowed = space.allowedSize();
        return allowed && known() >= *allowed;
    }
};

class Tuner final : public Scientist {
public:
    ScientistKind kind() const override { return ScientistKind::tuner; }
    Author author() const override { return Author::tuner; }

    Result<Selection> select(const Briefing& briefing, const std::stop_token& stop) override;
    Result<Design> design(const Briefing& briefing, const Selection& selection, const std::stop_token& stop) override;
    Result<Draft> write(const Briefing& briefing, const Experiment& experiment, const std::stop_token& stop) override;
    Result<Draft> repair(const Briefing& briefing, const Experiment& experiment, const Draft& draft,
                         const Failure& failure, int attempt, const std::stop_token& stop) override;

private:
    const std::string& structureKey(const Kernel& kernel);
    Result<Structure> study(const Population& population, const Kernel& basis);
    Selection chosenAlone(const Population& population);

    std::map<KernelId, std::string> m_keys; // a kernel's source never changes
};

// A kernel whose source cannot be read has no structure, and is asked again.
const std::string& Tuner::structureKey(const Kernel& kernel) {
    std::string& key = m_keys[kernel.id];
    if (key.empty()) {
        key = structureOf(kernel.source.orNothing());
    }
    return key;
}

Result<Structure> Tuner::study(const Population& population, const Kernel& basis) {
    GKS_TRY_ASSIGN(const std::string source, basis.source.read());
    GKS_TRY_ASSIGN(SearchSpace space, SearchSpace::of(source));
    Structure structure{std::move(space), {}, {}};
    const std::string key = structureKey(basis);
    std::set<KernelId> members;
    for (const Kernel& kernel : population.kernels) {
        if (structureKey(kernel) != key) {
            continue;
        }
        members.insert(kernel.id);
        std::map<std::string, std::string> values;
        for (const Tunable& tunable : findTunables(kernel.source.orNothing())) {
            values[tunable.name] = tunable.current;
        }
        const bool accepted = isAccepted(kernel);
        // An infrastructure failure says nothing about the point.
        const bool failed = kernel.verdict && !accepted && *kernel.verdict != VerdictKind::infrastructureFailed;
        structure.observations.push_back({structure.space.pointOf(values), accepted ? kernel.geomeanUs : 0, failed});
        structure.tried.insert(structure.observations.back().point);
    }
    // Proposals that wait, were rejected or came to nothing are not proposed again; those that were not picked may be.
    for (const Experiment& experiment : population.experiments) {
        const bool taken = !experiment.pick.empty() || experiment.kernel || !isUndecided(experiment);
        if (taken && !experiment.tunables.empty() && members.contains(experiment.parent)) {
            const TuningPoint point = structure.space.pointOf(experiment.tunables);
            if (structure.tried.insert(point).second) {
                structure.observations.push_back({point, 0, false});
            }
        }
    }
    return structure;
}

Selection Tuner::chosenAlone(const Population& population) {
    std::vector<const Kernel*> ranking;
    for (const Kernel& kernel : population.kernels) {
        if (isMeasuredParent(kernel)) {
            ranking.push_back(&kernel);
        }
    }
    std::stable_sort(ranking.begin(), ranking.end(), [&](auto a, auto b) { return isFaster(population, *a, *b); });
    Selection selection;
    std::set<std::string> exhausted;
    for (const Kernel* kernel : ranking) {
        if (findTunables(kernel->source.orNothing()).empty() || exhausted.contains(structureKey(*kernel))) {
            continue;
        }
        const Result<Structure> structure = study(population, *kernel); // none when its conditions cannot be read
        if (structure && !structure->exhausted()) {
            selection.basis = kernel->id;
            selection.rationale = fmt::format(
                "{} is the fastest kernel with untried configurations ({} of {} tried), {}", kernelLabel(kernel->id),
                structure->known(), structure->space.allowedSize().value_or(structure->space.size()),
                formatMicroseconds(kernel->geomeanUs));
            break;
        }
        exhausted.insert(structureKey(*kernel));
    }
    if (selection.basis == 0 && !ranking.empty()) {
        selection.basis = ranking.front()->id;
        selection.rationale = "all configurations of all tunable kernels were tried; this kernel is the fastest";
    }
    return selection;
}

Result<Selection> Tuner::select(const Briefing& briefing, const std::stop_token& stop) {
    if (stop.stop_requested()) {
        return cancelledError("tuner");
    }
    const Population& population = *briefing.population;
    const auto& pinned = population.settings.pinnedParent;
    Selection selection = pinned ? Selection{*pinned, {}, "pinned by you"} : chosenAlone(population);
    const Kernel* basis = population.kernel(selection.basis);
    if (basis == nullptr) {
        return pinned ? usageError(fmt::format("pinned parent {} not found", kernelLabel(*pinned)), "tuner",
                                   "Pin another one")
                      : kernelError("no kernel has passed yet", "tuner", "Evaluate the seeds, or fix one by hand");
    }
    selection.reference = population.settings.pinnedReference;
    if (selection.reference) {
        return selection;
    }
    const Kernel* second = nullptr;
    for (const Kernel& kernel : population.kernels) {
        if (isMeasuredParent(kernel) && structureKey(kernel) != structureKey(*basis) &&
            (second == nullptr || isFaster(population, kernel, *second))) {
            second = &kernel;
        }
    }
    if (second != nullptr) {
        selection.reference = second->id;
    }
    return selection;
}

Result<Design> Tuner::design(const Briefing& briefing, const Selection& selection, const std::stop_token& stop) {
    if (stop.stop_requested()) {
        return cancelledError("tuner");
    }
    const Population& population = *briefing.population;
    const Kernel* basis = population.kernel(selection.basis);
    if (basis == nullptr) {
        return usageError(fmt::format("kernel {} not found", kernelLabel(selection.basis)), "tuner");
    }
    std::vector<Experiment> experiments;
    GKS_TRY_ASSIGN(const Structure structure, study(population, *basis));
    GKS_TRY_ASSIGN(const std::string basisSource, basis->source.read());
    if (structure.space.tunables().empty() || structure.exhausted()) {
        return Design();
    }
    // The seed comes from what is known, so the same campaign is continued in the same way.
    std::string known = population.settings.problem + "\n" + structureKey(*basis);
    for (const TuningPoint& point : structure.tried) {
        known += "\n" + fmt::format("{}", fmt::join(point, ","));
    }
    std::uint64_t seed = 0;
    const std::string digest = sha256Hex(known);
    std::from_chars(digest.data(), digest.data() + 16, seed, 16);

    std::set<std::string> sources;
    for (const Kernel& kernel : population.kernels) {
        sources.insert(kernel.normalizedSha256);
    }
    const TuningPoint current = structure.space.current();
    for (const Proposal& proposal :
         proposePoints(structure.space, structure.observations, current, proposalCount, seed)) {
        Experiment experiment;
        experiment.tunables = structure.space.valuesOf(proposal.point);
        GKS_TRY_ASSIGN(const std::string source, withTunables(basisSource, experiment.tunables));
        if (sources.contains(sha256Hex(normalizedSource(source)))) {
            continue;
        }
        std::vector<std::string> changes;
        std::vector<std::string> edits;
        for (std::size_t axis = 0; axis < current.size(); ++axis) {
            const Tunable& tunable = structure.space.tunables()[axis];
            const std::string& value = experiment.tunables[tunable.name];
            if (value != tunable.current) {
                changes.push_back(fmt::format("{} = {}", tunable.name, value));
                edits.push_back(fmt::format("Line {}: change `#define {} {}` to `#define {} {}`.", tunable.line,
                                            tunable.name, tunable.current, tunable.name, value));
            }
        }
        experiment.description = join(changes, ", ");
        experiment.rubric = join(edits, "\n");
        experiment.round = population.newestRound() + 1;
        experiment.position = static_cast<std::int64_t>(experiments.size());
        experiment.parent = selection.basis;
        experiment.reference = selection.reference;
        experiment.predicted = proposal.gain;
        experiment.innovation = proposal.innovation;
        experiment.author = Author::tuner;
        experiments.push_back(std::move(experiment));
    }
    pickExperiments(experiments, PickPolicy::threeOfFive, {}); // its ranges are measured, not promised
    return Design{std::move(experiments)};
}

Result<Draft> Tuner::write(const Briefing& briefing, const Experiment& experiment, const std::stop_token& stop) {
    if (stop.stop_requested()) {
        return cancelledError("tuner");
    }
    const Kernel* basis = briefing.population->kernel(experiment.parent);
    if (basis == nullptr) {
        return usageError(fmt::format("kernel {} not found", kernelLabel(experiment.parent)), "tuner");
    }
    if (experiment.tunables.empty()) {
        return kernelError("the tuner can only set tunables, and this experiment sets none", "tuner",
                           "Switch the scientist to a language model, or write the kernel by hand");
    }
    GKS_TRY_ASSIGN(const std::string before, basis->source.read());
    GKS_TRY_ASSIGN(std::string source, withTunables(before, experiment.tunables));
    return Draft{std::move(source), titleOf(findTunables(before), experiment.tunables),
                 experiment.rubric + "\nNo other change."};
}

Result<Draft> Tuner::repair(const Briefing&, const Experiment&, const Draft&, const Failure&, int,
                            const std::stop_token&) {
    return kernelError("this configuration failed", "tuner", "It will not be tried again");
}

} // namespace

std::unique_ptr<Scientist> makeTuner(ScientistSinks) {
    return std::make_unique<Tuner>();
}

} // namespace gks
