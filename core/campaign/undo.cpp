// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/undo.h"

#include "core/campaign/rules.h"
#include "core/campaign/stored_json.h"
#include "core/campaign/undo_subject.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

// The idea: every decision has a subject ("pin", "ban 12", "experiment 3"), and every subject a value that can be read
// from a population and brought back by one command. A line keeps the value from before it. Lines of one subject are a
// stack: one after which the value is what an earlier line has replaced takes back that line and all above it. Only the
// topmost can be taken back, and only where the rules allow the command. Cost: one small JSON text for each line; of a
// subject undoDepth lines, each compared with those below it.
namespace gks {
namespace {

constexpr std::size_t mostRecordBytes = 256 << 10; // a stranger's file may hold longer ones

UndoChoice choiceOf(const std::string& subject, const Json& before, const Population& population) {
    try {
        const auto command = commandThatRestores(subject, before, population);
        if (!command) {
            return {UndoState::over, command.error().what};
        }
        if (const std::string more = sideEffect(*command, population); !more.empty()) {
            return {UndoState::over, "to take it back " + more};
        }
        const auto allowed = checkCommand(*command, population);
        return allowed ? UndoChoice{UndoState::open, "", *command} : UndoChoice{UndoState::over, allowed.error().what};
    } catch (const Json::exception&) { // a stranger's file
        return {UndoState::none, "what stood before cannot be read"};
    }
}

struct KeptLine {
    std::int64_t id = 0;
    Json before;
    std::string more = {}; // what else it did
};

std::optional<KeptLine> keptLine(const Steering& line, std::string& subject) {
    if (line.who != Author::person || line.before.empty() || line.before.size() > mostRecordBytes) {
        return std::nullopt;
    }
    const auto kept = parseJson(line.before, "the history");
    if (!kept || !kept->is_object() || !kept->contains("before") || !kept->value("subject", Json()).is_string()) {
        return std::nullopt;
    }
    subject = kept->at("subject").get<std::string>();
    const Json more = kept->value("more", Json());
    return KeptLine{line.id, kept->at("before"), more.is_string() ? more.get<std::string>() : std::string()};
}

void choose(UndoChoices& choices, const std::string& subject, const std::vector<KeptLine>& lines,
            const Population& population) {
    std::vector<const KeptLine*> stack;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const KeptLine& line = lines[i];
        const Json after = i + 1 < lines.size() ? lines[i + 1].before : undoValue(subject, population);
        const auto back =
            std::ranges::find_if(stack, [&](const KeptLine* one) { return isSameValue(subject, one->before, after); });
        if (isSameValue(subject, line.before, after)) {
            choices[line.id] = {UndoState::unchanged, "it changed nothing, or was changed back since"};
        } else if (back == stack.end()) {
            stack.push_back(&line);
        } else {
            choices[line.id] = {UndoState::undoes, fmt::format("it takes back decision {}", (*back)->id)};
            std::for_each(back, stack.end(), [&](const KeptLine* one) {
                choices[one->id] = {UndoState::takenBack, "it is taken back already"};
            });
            stack.erase(back, stack.end());
        }
    }
    for (const KeptLine* line : stack) {
        choices[line->id] =
            line != stack.back()
                ? UndoChoice{UndoState::replaced,
                             fmt::format("decision {} about the same came later and stands: it comes first",
                                         stack.back()->id)}
            : !line->more.empty() ? UndoChoice{UndoState::over, line->more}
                                  : choiceOf(subject, line->before, population);
    }
}

bool isRunControl(std::string_view action) {
    return action == "start" || action == "pause" || action == "step" || action == "stop" || action == "cancel current";
}

} // namespace

std::string_view name(UndoState state) {
    switch (state) {
    case UndoState::none:
        return "none";
    case UndoState::open:
        return "open";
    case UndoState::takenBack:
        return "taken-back";
    case UndoState::undoes:
        return "undoes";
    case UndoState::unchanged:
        return "unchanged";
    case UndoState::replaced:
        return "replaced";
    case UndoState::over:
        return "over";
    }
    return "";
}

std::string undoText(const UndoChoice& choice) {
    return choice.state == UndoState::open        ? "can be taken back"
           : choice.state == UndoState::takenBack ? "taken back"
                                                  : choice.why;
}

std::string undoRecord(const SteeringCommand& command, const Population& before, std::int64_t made) {
    const std::string subject = undoSubject(command, made);
    if (subject.empty()) {
        return {};
    }
    const auto* add = std::get_if<command::AddExperiment>(&command);
    const Json value = add != nullptr ? undoValue(*add) : undoValue(subject, before);
    if (value.is_null()) {
        return {};
    }
    Json record = {{"subject", subject}, {"before", value}};
    if (const std::string more = sideEffect(command, before); !more.empty()) {
        record["more"] = more;
    }
    return storedJson(record);
}

UndoChoices undoChoices(const std::vector<Steering>& history, const Population& population) {
    UndoChoices choices;
    std::map<std::string, std::vector<KeptLine>> subjects;
    const std::size_t first = history.size() > undoLimit ? history.size() - undoLimit : 0;
    for (std::size_t i = history.size(); i-- > first;) { // the newest of each
        std::string subject;
        if (auto line = keptLine(history[i], subject); line && subjects[subject].size() < undoDepth) {
            subjects[subject].push_back(std::move(*line));
        }
    }
    for (auto& [subject, lines] : subjects) {
        std::ranges::reverse(lines);
        choose(choices, subject, lines, population);
    }
    return choices;
}

Result<SteeringCommand> undoCommand(const std::vector<Steering>& history, const Population& population,
                                    std::int64_t id) {
    const UndoChoices choices = undoChoices(history, population);
    const auto choice = [&](std::int64_t line) {
        const auto found = choices.find(line);
        return found != choices.end() ? found->second : UndoChoice{};
    };
    const auto line = std::find_if(history.rbegin(), history.rend(), [&](const Steering& one) {
        using enum UndoState;
        const UndoState state = choice(one.id).state;
        return id != 0 ? one.id == id
                       : one.who == Author::person && !isRunControl(one.action) && state != takenBack &&
                             state != undoes && state != unchanged;
    });
    if (line == history.rend()) {
        return usageError(id != 0 ? fmt::format("there is no decision {}", id)
                                  : "there is no decision that can be taken back",
                          {}, "steer FILE.gks history says which can");
    }
    const UndoChoice found = choice(line->id);
    if (found.state == UndoState::open) {
        return *found.command;
    }
    return usageError(fmt::format("{} {} ({}) cannot be taken back{}{}", id == 0 ? "your last decision" : "decision",
                                  line->id, line->action, found.why.empty() ? "" : ": ", found.why),
                      {}, "steer FILE.gks history says which can");
}

} // namespace gks
