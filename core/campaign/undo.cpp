// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/undo.h"

#include "core/base/text.h"
#include "core/campaign/rules.h"
#include "core/campaign/settings_json.h"
#include "core/campaign/stored_json.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

// The idea: every decision has a subject ("pin", "ban 12", "experiment 3"), and every subject a value that can be read
// from a population and brought back by commands. A line keeps the value from before it. Lines of one subject are a
// stack: one after which the value is what an earlier line has replaced takes back that line and all above it. Only the
// topmost can be taken back, and only where the rules allow the commands. Cost: one small JSON text for each line.
namespace gks {
namespace {

constexpr const char* undecidedState = "undecided";

std::string subjectOf(std::string_view kind, std::int64_t id) {
    return fmt::format("{} {}", kind, id);
}

// What a command is about; empty: it cannot be taken back.
struct UndoSubject {
    std::int64_t made;
    std::string operator()(const command::PinParent&) const { return "pin"; }
    std::string operator()(const command::SetBanned& set) const { return subjectOf("ban", set.kernel); }
    std::string operator()(const command::ApproveExperiment& one) const { return of(one.experiment); }
    std::string operator()(const command::RejectExperiment& one) const { return of(one.experiment); }
    std::string operator()(const command::EditExperiment& one) const { return of(one.experiment); }
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

Json experimentValue(const Experiment& experiment) {
    Json value = {{"state", isUndecided(experiment) ? undecidedState : std::string(name(experiment.state))},
                  {"description", experiment.description},
                  {"rubric", experiment.rubric},
                  {"innovation", experiment.innovation},
                  {"writer", experiment.writer}};
    if (experiment.predicted) {
        value["predicted"] = {experiment.predicted->low, experiment.predicted->high};
    }
    return value;
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
    std::from_chars(parts.rest.data(), parts.rest.data() + parts.rest.size(), parts.id);
    return parts;
}

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

// Null: there is no such thing.
Json valueOf(const std::string& subject, const Population& population) {
    const Subject about = parsed(subject);
    if (about.kind == "pin") {
        return settingsValue(population, {"pinned_parent", "pinned_reference"});
    }
    if (about.kind == "ban") {
        const Kernel* kernel = population.kernel(about.id);
        return kernel != nullptr ? Json(kernel->banned) : Json();
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
bool isSame(const std::string& subject, const Json& a, const Json& b) {
    if (subject != "order" || !a.is_array() || !b.is_array()) {
        return a == b;
    }
    const auto within = [](const Json& order, const Json& other) {
        Json kept = Json::array();
        std::ranges::copy_if(order, std::back_inserter(kept),
                             [&](const Json& id) { return std::ranges::find(other, id) != other.end(); });
        return kept;
    };
    return within(a, b) == within(b, a);
}

using Commands = std::vector<SteeringCommand>;

// What of an experiment differs from the value; without a difference nothing but its description, which takes a
// rejected one up again.
Result<command::EditExperiment> editTo(const Experiment& now, const Json& want) {
    command::EditExperiment edit{.experiment = now.id};
    const Json value = stored(experimentValue(now));
    if (value.contains("predicted") && !want.contains("predicted")) {
        return usageError(fmt::format("the prediction of experiment {} cannot be taken away", now.id), {},
                          "Edit it instead");
    }
    const auto differs = [&](const char* key) { return want.contains(key) && value.value(key, Json()) != want[key]; };
    if (differs("description")) {
        edit.description = want.at("description").get<std::string>();
    }
    if (differs("rubric")) {
        edit.rubric = want.at("rubric").get<std::string>();
    }
    if (differs("innovation")) {
        edit.innovation = want.at("innovation").get<int>();
    }
    if (differs("writer")) {
        edit.writer = want.at("writer").get<std::string>();
    }
    if (differs("predicted")) {
        edit.predicted = Interval{want.at("predicted").at(0).get<double>(), want.at("predicted").at(1).get<double>()};
    }
    return edit;
}

Result<Commands> restoreExperiment(const Experiment& now, const Json& want) {
    using enum ExperimentState;
    if (!mayBeEdited(now) && now.state != rejected) {
        return usageError(fmt::format("experiment {} is {} already", now.id, name(now.state)));
    }
    GKS_TRY_ASSIGN(command::EditExperiment edit, editTo(now, want));
    const bool isEdit = edit != command::EditExperiment{.experiment = now.id};
    const std::string state = want.at("state").get<std::string>();
    Commands commands;
    if (state == undecidedState && !isUndecided(now)) { // by way of the rejected ones, who can be taken up again
        if (now.state != rejected) {
            commands.emplace_back(command::RejectExperiment{now.id});
        }
        edit.description = edit.description.value_or(now.description);
        commands.emplace_back(edit);
        return commands;
    }
    if (state == name(approved) && now.state != approved) {
        commands.emplace_back(command::ApproveExperiment{now.id});
    }
    if (isEdit) {
        commands.emplace_back(edit);
    }
    if (state == name(rejected) && now.state != rejected) {
        commands.emplace_back(command::RejectExperiment{now.id});
    }
    return commands;
}

Result<Commands> restoreOrder(const Json& want, const Population& population) {
    command::ReorderExperiments reorder;
    for (const Json& id : want) {
        const Experiment* experiment = population.experiment(id.get<ExperimentId>());
        if (experiment != nullptr && isInOrder(*experiment)) {
            reorder.order.push_back(experiment->id);
        }
    }
    return reorder.order.size() > 1 ? Result<Commands>(Commands{reorder})
                                    : usageError("what was ordered is not open any more");
}

Result<Commands> restored(const std::string& subject, const Json& want, const Population& population) {
    const Subject about = parsed(subject);
    if (about.kind == "ban") {
        return Commands{command::SetBanned{about.id, want.get<bool>()}};
    }
    if (about.kind == "experiment") {
        const Experiment* now = population.experiment(about.id);
        return now != nullptr ? restoreExperiment(*now, want)
                              : usageError(fmt::format("there is no experiment {}", about.id));
    }
    if (about.kind == "order") {
        return restoreOrder(want, population);
    }
    if (about.kind == "avenue") {
        return Commands{command::AskForAvenue{about.id, want.get<bool>()}};
    }
    if (about.kind == "hint") {
        return Commands{command::SetHint{want.get<std::string>(), about.rest}};
    }
    GKS_TRY_ASSIGN(const CampaignSettings settings, settingsFromJson(want));
    if (about.kind == "pin") {
        return Commands{command::PinParent{settings.pinnedParent, settings.pinnedReference}};
    }
    if (about.kind == "mode") {
        return Commands{command::SetMode{settings.mode}};
    }
    if (about.kind == "budgets") {
        return Commands{command::SetBudgets{settings.budgets}};
    }
    return about.kind == "policies" ? Result<Commands>(Commands{command::SetPolicies{settings.policies}})
                                    : usageError("it is of a kind that cannot be taken back");
}

UndoChoice choiceOf(const std::string& subject, const Json& before, const Population& population) {
    try {
        const auto commands = restored(subject, before, population);
        if (!commands) {
            return {UndoState::over, commands.error().what};
        }
        if (commands->empty()) {
            return {UndoState::takenBack};
        }
        const auto allowed = checkCommand(commands->front(), population);
        return allowed ? UndoChoice{UndoState::open, "", *commands} : UndoChoice{UndoState::over, allowed.error().what};
    } catch (const Json::exception&) { // a stranger's file
        return {UndoState::none, "what stood before cannot be read"};
    }
}

struct KeptLine {
    std::int64_t id = 0;
    Json before;
};

} // namespace

std::string_view name(UndoState state) {
    switch (state) {
    case UndoState::none:
        return "none";
    case UndoState::open:
        return "open";
    case UndoState::takenBack:
        return "taken-back";
    case UndoState::replaced:
        return "replaced";
    case UndoState::over:
        return "over";
    }
    return "";
}

std::string headline(const Steering& line) {
    return line.detail.substr(0, line.detail.find('\n'));
}

std::string withBefore(std::string line, const SteeringCommand& command, const Population& before, std::int64_t made) {
    const std::string subject = std::visit(UndoSubject{made}, command);
    if (subject.empty()) {
        return line;
    }
    Json value = valueOf(subject, before);
    if (const auto* add = std::get_if<command::AddExperiment>(&command)) { // as if it had been rejected
        Experiment rejected;
        rejected.state = ExperimentState::rejected;
        rejected.description = add->description;
        rejected.rubric = add->rubric;
        rejected.predicted = add->predicted;
        rejected.innovation = add->innovation;
        rejected.writer = add->writer;
        value = experimentValue(rejected);
    }
    if (value.is_null()) {
        return line;
    }
    std::ranges::replace(line, '\n', ' ');
    return line + "\n" + storedJson(Json{{"subject", subject}, {"before", value}});
}

UndoChoices undoChoices(const std::vector<Steering>& history, const Population& population) {
    UndoChoices choices;
    std::map<std::string, std::vector<KeptLine>> subjects;
    const std::size_t first = history.size() > undoLimit ? history.size() - undoLimit : 0;
    for (std::size_t i = first; i < history.size(); ++i) {
        const Steering& line = history[i];
        const std::size_t end = line.detail.find('\n');
        if (line.who != Author::person || end == std::string::npos) {
            continue;
        }
        const auto kept = parseJson(std::string_view(line.detail).substr(end + 1), "the history");
        if (kept && kept->is_object() && kept->contains("before") && kept->value("subject", Json()).is_string()) {
            subjects[kept->at("subject").get<std::string>()].push_back({line.id, kept->at("before")});
        }
    }
    for (const auto& [subject, lines] : subjects) {
        std::vector<const KeptLine*> stack;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const Json after = i + 1 < lines.size() ? lines[i + 1].before : valueOf(subject, population);
            const auto back =
                std::ranges::find_if(stack, [&](const KeptLine* one) { return isSame(subject, one->before, after); });
            choices[lines[i].id] = {UndoState::takenBack};
            if (back != stack.end()) {
                stack.erase(back, stack.end());
            } else if (!isSame(subject, lines[i].before, after)) {
                stack.push_back(&lines[i]);
            }
        }
        for (const KeptLine* line : stack) {
            choices[line->id] = line == stack.back()
                                    ? choiceOf(subject, line->before, population)
                                    : UndoChoice{UndoState::replaced,
                                                 fmt::format("decision {} about the same stands", stack.back()->id)};
        }
    }
    return choices;
}

std::int64_t newestOpen(const UndoChoices& choices) {
    const auto found = std::find_if(choices.rbegin(), choices.rend(),
                                    [](const auto& one) { return one.second.state == UndoState::open; });
    return found != choices.rend() ? found->first : 0;
}

Result<std::vector<SteeringCommand>> undoCommands(const std::vector<Steering>& history, const Population& population,
                                                  std::int64_t id) {
    const UndoChoices choices = undoChoices(history, population);
    if (id == 0) {
        const std::int64_t newest = newestOpen(choices);
        return newest != 0 ? Result<Commands>(choices.at(newest).commands)
                           : usageError("there is no decision that can be taken back", {}, "steer FILE.gks history");
    }
    const auto found = choices.find(id);
    const UndoChoice choice = found != choices.end() ? found->second : UndoChoice{};
    if (choice.state == UndoState::open) {
        return choice.commands;
    }
    const bool isThere = std::ranges::any_of(history, [&](const Steering& line) { return line.id == id; });
    return usageError(!isThere                               ? fmt::format("there is no decision {}", id)
                      : choice.state == UndoState::takenBack ? fmt::format("decision {} is taken back already", id)
                                                             : fmt::format("decision {} cannot be taken back{}", id,
                                                                           choice.why.empty() ? "" : ": " + choice.why),
                      {}, "steer FILE.gks history says which can");
}

} // namespace gks
