// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/undo_subject.h"

#include "core/base/text.h"
#include "core/campaign/names.h"
#include "core/campaign/rules.h"
#include "core/campaign/settings_json.h"
#include "core/campaign/stored_json.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace gks {
namespace {

std::string subjectOf(std::string_view kind, std::int64_t id) {
    return fmt::format("{} {}", kind, id);
}

// What a command is about; empty: it cannot be taken back.
struct SubjectOf {
    std::int64_t made;
    std::string operator()(const command::PinParent&) const { return "pin"; }
    std::string operator()(const command::SetBanned& set) const { return subjectOf("ban", set.kernel); }
    std::string operator()(const command::ApproveCode& one) const { return subjectOf("code", one.kernel); }
    std::string operator()(const command::RejectCode& one) const { return subjectOf("code", one.kernel); }
    std::string operator()(const command::ReopenCode& one) const { return subjectOf("code", one.kernel); }
    std::string operator()(const command::ApproveExperiment& one) const { return of(one.experiment); }
    std::string operator()(const command::RejectExperiment& one) const { return of(one.experiment); }
    std::string operator()(const command::EditExperiment& one) const { return of(one.experiment); }
    std::string operator()(const command::RestoreExperiment& one) const { return of(one.experiment); }
    std::string operator()(const command::AddExperiment&) const { return of(made); }
    std::string operator()(const command::ReorderExperiments&) const { return "order"; }
    std::string operator()(const command::AskForAvenue& ask) const { return subjectOf("avenue", ask.avenue); }
    std::string operator()(const command::SetMode&) const { return "mode"; }
    std::string operator()(const command::SetBudgets&) const { return "budgets"; }
    std::string operator()(const command::SetPolicies&) const { return "policies"; }
    std::string operator()(const command::SetHint& set) const {
        return set.stage.empty() ? "hint" : "hint " + set.stage;
    }
    template<class Other>
    std::string operator()(const Other&) const {
        return {};
    }
    static std::string of(ExperimentId id) { return subjectOf("experiment", id); }
};

Json settingsValue(const Population& population, std::initializer_list<const char*> keys) {
    const OrderedJson all = toJson(population.settings);
    Json value = Json::object();
    for (const char* key : keys) {
        if (const auto found = all.find(key); found != all.end()) {
            value[key] = Json(*found);
        }
    }
    return value;
}

// As it is read back: a text that is not UTF-8 is mended.
Json stored(const Json& value) {
    return Json::parse(storedJson(value), nullptr, false);
}

Json experimentValue(const Experiment& experiment) {
    Json value = {{"state", name(experiment.state)}, {"description", experiment.description},
                  {"rubric", experiment.rubric},     {"innovation", experiment.innovation},
                  {"writer", experiment.writer},     {"edited", experiment.editedByPerson}};
    if (experiment.predicted) {
        value["predicted"] = {experiment.predicted->low, experiment.predicted->high};
    }
    return value;
}

// With what is pinned, where a ban takes that away.
Json banValue(const Kernel& kernel, const Population& population) {
    Json value = {{"banned", kernel.banned}};
    const command::PinParent pin = pinOf(population.settings);
    if (pin != pinWithout(pin, kernel.id)) {
        value["pin"] = settingsValue(population, {"pinned_parent", "pinned_reference"});
    }
    return value;
}

// Earlier versions kept that alone.
bool isBanned(const Json& value) {
    return value.is_boolean() ? value.get<bool>() : value.at("banned").get<bool>();
}

bool isBanValue(const Json& value) { // of a stranger's file
    return value.is_boolean() || (value.is_object() && value.contains("banned") && value.at("banned").is_boolean());
}

// What a ban has taken away comes back with its end, unless the person has pinned another one since.
Result<SteeringCommand> restoredBan(KernelId id, const Json& want, const Population& population) {
    command::SetBanned restore{id, isBanned(want)};
    if (!restore.banned && want.is_object() && want.contains("pin")) {
        GKS_TRY_ASSIGN(const CampaignSettings settings, settingsFromJson(want.at("pin")));
        const command::PinParent before = pinOf(settings);
        if (pinOf(population.settings) == pinWithout(before, id)) {
            restore.pin = before;
        }
    }
    return restore;
}

Result<SteeringCommand> restoredCode(KernelId id, const Json& want, const Population& population) {
    const Kernel* now = population.kernel(id);
    if (now == nullptr) {
        return usageError(fmt::format("kernel {} not found", kernelLabel(id)));
    }
    if (!mayBeApproved(*now) && !mayBeDeclined(*now)) {
        return usageError(fmt::format("the code of kernel {} is {} already", kernelLabel(id), name(now->state)));
    }
    const std::string state = want.at("state");
    if (state == name(KernelState::declined)) {
        return command::RejectCode{id, want.at("remark")};
    }
    return state == name(KernelState::proposed) ? SteeringCommand(command::ReopenCode{id})
                                                : SteeringCommand(command::ApproveCode{id});
}

bool isInOrder(const Experiment& experiment) { // may be moved, and it makes a difference
    return experiment.state == ExperimentState::proposed || experiment.state == ExperimentState::approved;
}

Json orderValue(const Population& population) {
    std::vector<const Experiment*> open;
    for (const Experiment& experiment : population.experiments) {
        if (isInOrder(experiment)) {
            open.push_back(&experiment);
        }
    }
    std::ranges::stable_sort(open, {}, &Experiment::position);
    Json order = Json::array();
    for (const Experiment* experiment : open) {
        order.push_back(experiment->id);
    }
    return order;
}

struct Subject {
    std::string kind;
    std::string rest;
    std::int64_t id = 0;
};

Subject parsed(const std::string& subject) {
    const std::size_t space = subject.find(' ');
    Subject parts{subject.substr(0, space), space == std::string::npos ? "" : subject.substr(space + 1)};
    static_cast<void>(std::from_chars(parts.rest.data(), parts.rest.data() + parts.rest.size(), parts.id));
    return parts;
}

// What the command changes beside its subject; empty: nothing.
struct SideEffect {
    const Population& before;
    std::string operator()(const command::SetBanned& set) const {
        std::vector<std::string> hit;
        for (const Experiment& experiment : before.experiments) {
            const bool isHit = set.banned ? isOpen(experiment) && mayBeRejected(experiment)
                                          : experiment.state == ExperimentState::rejected &&
                                                experiment.failure == bannedParentText(set.kernel);
            if (experiment.parent == set.kernel && isHit) {
                hit.push_back(std::to_string(experiment.id));
            }
        }
        return told(set.banned ? "the experiments {} are rejected with it" : "the experiments {} are offered again",
                    hit);
    }
    std::string operator()(const command::SetMode& set) const {
        std::vector<std::string> hit;
        for (const Experiment& experiment : before.experiments) {
            if (set.mode != Mode::approveExperiments && experiment.state == ExperimentState::proposed &&
                !experiment.pick.empty()) {
                hit.push_back(std::to_string(experiment.id));
            }
        }
        return told("the experiments {} are approved with it", hit);
    }
    std::string operator()(const command::SetPolicies& set) const {
        std::vector<std::string> hit;
        for (const Kernel* draft : draftsThatChange(before, set.policies)) {
            hit.push_back(kernelLabel(draft->id));
        }
        return told("the drafts {} wait for something else with it", hit);
    }
    template<class Other>
    std::string operator()(const Other&) const {
        return {};
    }
    static std::string told(fmt::string_view text, const std::vector<std::string>& hit) {
        return hit.empty() ? std::string() : fmt::format(fmt::runtime(text), join(hit, ", "));
    }
};

Result<SteeringCommand> restoredExperiment(ExperimentId id, const Json& want, const Population& population) {
    const Experiment* now = population.experiment(id);
    if (now == nullptr) {
        return usageError(fmt::format("experiment {} not found", id));
    }
    if (!isPersonsToDecide(now->state)) {
        return usageError(fmt::format("experiment {} is {} already", id, name(now->state)));
    }
    GKS_TRY_ASSIGN(const ExperimentState state, experimentStateFromName(want.at("state").get<std::string>()));
    command::RestoreExperiment restore{id,
                                       state,
                                       want.at("description"),
                                       want.at("rubric"),
                                       {},
                                       want.at("innovation"),
                                       want.at("writer"),
                                       want.at("edited")};
    if (want.contains("predicted")) {
        restore.predicted = Interval{want.at("predicted").at(0), want.at("predicted").at(1)};
    }
    return restore;
}

Result<SteeringCommand> restoredOrder(const Json& want, const Population& population) {
    command::ReorderExperiments reorder;
    for (const Json& id : want) {
        const Experiment* experiment = population.experiment(id.get<ExperimentId>());
        if (experiment != nullptr && isInOrder(*experiment)) {
            reorder.order.push_back(experiment->id);
        }
    }
    return reorder.order.size() > 1 ? Result<SteeringCommand>(reorder)
                                    : usageError("what was ordered is not open any more");
}

} // namespace

Json undoValue(const std::string& subject, const Population& population) {
    const Subject about = parsed(subject);
    if (about.kind == "pin") {
        return settingsValue(population, {"pinned_parent", "pinned_reference"});
    }
    if (about.kind == "ban") {
        const Kernel* kernel = population.kernel(about.id);
        return kernel != nullptr ? banValue(*kernel, population) : Json();
    }
    if (about.kind == "code") {
        const Kernel* kernel = population.kernel(about.id);
        return kernel != nullptr ? stored({{"state", name(kernel->state)}, {"remark", kernel->reason}}) : Json();
    }
    if (about.kind == "experiment") {
        const Experiment* experiment = population.experiment(about.id);
        return experiment != nullptr ? stored(experimentValue(*experiment)) : Json();
    }
    if (about.kind == "order") {
        return orderValue(population);
    }
    if (about.kind == "avenue") {
        const Avenue* avenue = population.avenue(about.id);
        return avenue != nullptr ? Json(avenue->asked) : Json();
    }
    if (about.kind == "hint") {
        const auto& hints = population.settings.hints;
        const auto found = hints.find(about.rest);
        return stored(about.rest.empty() ? population.settings.hint : found != hints.end() ? found->second : "");
    }
    return settingsValue(population, {about.kind == "mode"      ? "mode"
                                      : about.kind == "budgets" ? "budgets"
                                                                : "policies"});
}

// Orders of which each holds what the other does not know compare by what both have.
bool isSameValue(const std::string& subject, const Json& a, const Json& b) {
    if (subject.starts_with("ban ") && isBanValue(a) && isBanValue(b)) {
        return isBanned(a) == isBanned(b); // what is pinned is a decision of its own as well
    }
    if (subject != "order" || !a.is_array() || !b.is_array()) {
        return a == b;
    }
    const auto within = [](const Json& order, const Json& other) {
        const std::set<Json> known(other.begin(), other.end());
        std::vector<Json> kept;
        std::ranges::copy_if(order, std::back_inserter(kept), [&](const Json& id) { return known.contains(id); });
        return kept;
    };
    return within(a, b) == within(b, a);
}

std::string sideEffect(const SteeringCommand& command, const Population& before) {
    return std::visit(SideEffect{before}, command);
}

Result<SteeringCommand> commandThatRestores(const std::string& subject, const Json& want,
                                            const Population& population) {
    const Subject about = parsed(subject);
    if (about.kind == "ban") {
        return restoredBan(about.id, want, population);
    }
    if (about.kind == "code") {
        return restoredCode(about.id, want, population);
    }
    if (about.kind == "experiment") {
        return restoredExperiment(about.id, want, population);
    }
    if (about.kind == "order") {
        return restoredOrder(want, population);
    }
    if (about.kind == "avenue") {
        return command::AskForAvenue{about.id, want.get<bool>()};
    }
    if (about.kind == "hint") {
        return command::SetHint{want.get<std::string>(), about.rest};
    }
    GKS_TRY_ASSIGN(const CampaignSettings settings, settingsFromJson(want));
    if (about.kind == "pin") {
        return command::PinParent{settings.pinnedParent, settings.pinnedReference};
    }
    if (about.kind == "mode") {
        return command::SetMode{settings.mode};
    }
    if (about.kind == "budgets") {
        return command::SetBudgets{settings.budgets};
    }
    return about.kind == "policies" ? Result<SteeringCommand>(command::SetPolicies{settings.policies})
                                    : usageError("it is of a kind that cannot be taken back");
}

std::string undoSubject(const SteeringCommand& command, std::int64_t made) {
    return std::visit(SubjectOf{made}, command);
}

Json undoValue(const command::AddExperiment& add) {
    Experiment rejected;
    rejected.state = ExperimentState::rejected;
    rejected.description = add.description;
    rejected.rubric = add.rubric;
    rejected.predicted = add.predicted;
    rejected.innovation = add.innovation;
    rejected.writer = add.writer;
    return experimentValue(rejected);
}

} // namespace gks
