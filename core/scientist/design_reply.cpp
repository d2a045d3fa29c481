// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/design_reply.h"

#include "core/base/text.h"
#include "core/campaign/names.h"
#include "core/campaign/rules.h"
#include "core/campaign/stagnation.h"
#include "core/scientist/briefing_text.h"
#include "core/scientist/findings.h"
#include "core/scientist/lessons.h"
#include "core/scientist/pick.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks {
namespace {

constexpr std::size_t shownTextBytes = 200;

std::string textField(const Json& object, const char* field) {
    return sanitizedUtf8(trimmed(object.at(field).get<std::string>()));
}

Result<std::string> filledField(const Json& object, const char* field) {
    std::string text = textField(object, field);
    if (text.empty()) {
        return usageError(fmt::format("{} is empty", field));
    }
    return text;
}

std::optional<AvenueId> numberIn(std::string_view text) {
    AvenueId number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failure == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

// "3" is the third avenue of this reply, "A12" one of an earlier round, "" none.
Result<std::optional<AvenueId>> avenueFrom(const std::string& text, const std::vector<Avenue>& fresh,
                                           const Population& population) {
    if (text.empty()) {
        return std::optional<AvenueId>();
    }
    if (text.front() != 'A') {
        const auto number = numberIn(text);
        if (!number || *number < 1 || static_cast<std::size_t>(*number) > fresh.size()) {
            return usageError(fmt::format("avenue: there is no {} among the {} avenues of this reply", quoted(text, 20),
                                          fresh.size()));
        }
        return std::optional(fresh[static_cast<std::size_t>(*number) - 1].id);
    }
    const auto id = numberIn(std::string_view(text).substr(1));
    if (!id || population.avenue(*id) == nullptr) {
        return usageError(fmt::format("avenue: there is no {} among those of earlier rounds", quoted(text, 20)));
    }
    return id;
}

Result<std::vector<std::int64_t>> usesFrom(const Json& labels, const Population& population) {
    std::vector<std::int64_t> uses;
    for (const Json& label : labels) {
        auto finding = findingWithLabel(label.get<std::string>(), population);
        if (!finding) {
            return usageError("uses: " + finding.error().what);
        }
        if (std::ranges::find(uses, *finding) == uses.end()) {
            uses.push_back(*finding);
        }
    }
    std::ranges::sort(uses);
    return uses;
}

// What a probe measured is known, and what one is about to measure will be.
Result<void> checkQuestion(const Experiment& experiment, const Population& population) {
    if (experiment.kind != ExperimentKind::probe) {
        return {};
    }
    const auto same = std::ranges::find_if(population.experiments, [&](const Experiment& earlier) {
        return earlier.kind == ExperimentKind::probe &&
               (isUnderWay(earlier) || earlier.state == ExperimentState::done) &&
               sameSubject(subjectFrom(earlier.description), subjectFrom(experiment.description));
    });
    return same == population.experiments.end()
               ? Result<void>()
               : usageError(fmt::format("experiment {} is a probe that asks the same; ask what is not measured yet, or "
                                        "nothing",
                                        same->id));
}

Result<Experiment> experimentFrom(const Json& proposal, const DesignTask& task, const std::vector<Avenue>& fresh) {
    const Population& population = task.population;
    Experiment experiment;
    experiment.parent = task.selection.basis;
    experiment.reference = task.selection.reference;
    experiment.model = task.model;
    GKS_TRY_ASSIGN(experiment.avenue, avenueFrom(textField(proposal, "avenue"), fresh, population));
    GKS_TRY_ASSIGN(experiment.limit, filledField(proposal, "limit"));
    GKS_TRY_ASSIGN(experiment.shapes, filledField(proposal, "shapes"));
    GKS_TRY_ASSIGN(experiment.kind, experimentKindFromName(proposal.at("kind").get<std::string>()));
    GKS_TRY_ASSIGN(experiment.description, filledField(proposal, "description"));
    GKS_TRY_ASSIGN(experiment.rubric, filledField(proposal, "rubric"));
    GKS_TRY_ASSIGN(experiment.disproof, filledField(proposal, "disproof"));
    if (experiment.kind != ExperimentKind::probe) { // of which there is none
        const Json& gain = proposal.at("gain");
        experiment.predicted = Interval{gain.at(0).get<double>(), gain.at(1).get<double>()};
        if (experiment.predicted->low > experiment.predicted->high) {
            return usageError("the lowest expected gain is above the highest");
        }
    }
    experiment.innovation = static_cast<int>(std::lround(proposal.at("innovation").get<double>()));
    GKS_TRY_ASSIGN(experiment.uses, usesFrom(proposal.at("uses"), population));
    GKS_TRY(checkQuestion(experiment, population));
    if (hasTwoParents(experiment.kind) && !offersTwoParents(population, experiment.reference)) {
        return usageError(fmt::format("a {} is made from two kernels that passed the judge, and there is no such "
                                      "reference kernel; make it a change or a rewrite",
                                      name(experiment.kind)));
    }
    for (const Experiment& earlier : population.experiments) {
        if (!isUndecided(earlier) && earlier.parent == experiment.parent &&
            earlier.description == experiment.description && earlier.rubric == experiment.rubric) {
            return usageError("was already tried on this kernel");
        }
    }
    return experiment;
}

Result<void> checkTogether(const std::vector<Experiment>& experiments, const Population& population) {
    const auto any = [&](const auto& wanted) { return std::any_of(experiments.begin(), experiments.end(), wanted); };
    if (!any([](const Experiment& one) { return one.kind == ExperimentKind::rewrite; })) {
        return usageError("experiments: none is a rewrite; at least one must have the kind \"rewrite\": another "
                          "structure from a blank page, the parent only read");
    }
    const auto probes = std::ranges::count(experiments, ExperimentKind::probe, &Experiment::kind);
    if (probes > 0 && population.settings.judgedByHarness) {
        return usageError("experiments: one is a probe; this campaign has none");
    }
    if (probes > 1) {
        return usageError(fmt::format("experiments: {} are probes; at most one is", probes));
    }
    const auto still = stagnation(population);
    const auto others = std::count_if(experiments.begin(), experiments.end(), [&](const Experiment& one) {
        return !still || (one.kind != still->tired && one.kind != ExperimentKind::probe);
    });
    if (still && others < static_cast<std::ptrdiff_t>(pickCount)) {
        return usageError(fmt::format("experiments: {}; at least {} must be of another kind, not {}", still->text,
                                      pickCount, others));
    }
    for (const Avenue* asked : askedAvenues(population)) {
        if (!any([&](const Experiment& one) { return one.avenue == asked->id; })) {
            return usageError(fmt::format("experiments: none takes up {}, which the person asks for: {}",
                                          avenueLabel(asked->id), quoted(asked->text, shownTextBytes)));
        }
    }
    return {};
}

} // namespace

bool offersTwoParents(const Population& population, const std::optional<KernelId>& reference) {
    const Kernel* second = reference ? population.kernel(*reference) : nullptr;
    return second != nullptr && isAccepted(*second);
}

void mendDesign(Json& reply) {
    const auto fillIn = [](Json& object, const char* field, const Json& value) {
        if (object.is_object() && (!object.contains(field) || object[field].is_null())) {
            object[field] = value;
        }
    };
    fillIn(reply, "lessons", Json::array());
    for (Json& lesson : reply["lessons"]) {
        fillIn(lesson, "gain", Json::array());
    }
    const auto experiments = reply.find("experiments");
    if (experiments == reply.end()) {
        return;
    }
    for (Json& experiment : *experiments) {
        fillIn(experiment, "uses", Json::array());
        if (experiment.is_object() && experiment.value("kind", Json()) == Json(name(ExperimentKind::probe))) {
            fillIn(experiment, "gain", Json::array({1, 1}));
        }
    }
}

Result<Design> designFromReply(const Json& reply, const DesignTask& task) {
    const Population& population = task.population;
    Design design;
    design.round = Round{.id = population.newestRound() + 1,
                         .parent = task.selection.basis,
                         .reference = task.selection.reference,
                         .rationale = task.selection.rationale,
                         .model = task.model};
    for (const Json& row : reply.at("diagnosis")) {
        design.round->diagnosis.push_back({textField(row, "shapes"), textField(row, "limit"),
                                           textField(row, "evidence"), row.at("headroom").get<double>()});
    }
    AvenueId newest = population.avenues.empty() ? 0 : population.avenues.back().id;
    for (const Json& avenue : reply.at("avenues")) {
        design.avenues.push_back({++newest, design.round->id, sanitizedUtf8(trimmed(avenue.get<std::string>()))});
    }
    for (const Json& proposal : reply.at("experiments")) {
        const std::size_t number = design.experiments.size() + 1;
        auto experiment = experimentFrom(proposal, task, design.avenues);
        if (!experiment) {
            return usageError(fmt::format("experiment {}: {}", number, experiment.error().what));
        }
        for (const Experiment& earlier : design.experiments) {
            if (earlier.description == experiment->description) {
                return usageError(
                    fmt::format("experiment {}: the same as experiment {}", number, earlier.position + 1));
            }
        }
        experiment->round = design.round->id;
        experiment->position = static_cast<std::int64_t>(design.experiments.size());
        design.experiments.push_back(std::move(*experiment));
    }
    GKS_TRY(checkTogether(design.experiments, population));
    GKS_TRY_ASSIGN(design.lessons, lessonsFromReply(reply.at("lessons"), population));
    return design;
}

} // namespace gks
