// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/steer_actions.h"

#include "app/cli/model_options.h"
#include "app/cli/output.h"
#include "app/cli/population_text.h"
#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/text.h"
#include "core/campaign/gain.h"
#include "core/campaign/limits.h"
#include "core/campaign/model_stages.h"
#include "core/campaign/names.h"
#include "core/campaign/undo.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <type_traits>

namespace gks::cli {
namespace {

template<class Number>
Result<void> readNumber(const std::string& text, Number& number) {
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failure == std::errc() && end == text.data() + text.size()
               ? Result<void>()
               : usageError(fmt::format("{} is no {}", text, std::is_integral_v<Number> ? "whole number" : "number"),
                            "steer");
}

Result<int> wholeNumberFrom(const std::string& text, int least, int most) {
    int number = 0;
    if (!readNumber(text, number) || number < least || number > most) {
        return usageError(fmt::format("\"{}\" must be a whole number from {} to {}", text, least, most), "steer");
    }
    return number;
}

Result<std::int64_t> numberFrom(const std::string& text, std::string_view what) {
    std::int64_t number = 0;
    if (!readNumber(text, number) || number < 1) {
        return usageError(fmt::format("\"{}\" is not the number of {}", text, what), "steer",
                          "List them with show, show --experiments or findings");
    }
    return number;
}

Result<KernelId> kernelFrom(const SteerCall& call, std::size_t at) {
    return kernelFromText(call.words[at], call.population);
}

std::string textFrom(const SteerCall& call, std::size_t at) {
    return join(Words(call.words.begin() + static_cast<std::ptrdiff_t>(at), call.words.end()), " ");
}

// One command for each kernel that is named, once.
template<class Make>
Result<SteerCommands> forKernels(const SteerCall& call, Make make) {
    SteerCommands commands;
    for (std::size_t i = 0; i < call.words.size(); ++i) {
        GKS_TRY_ASSIGN(const KernelId id, kernelFrom(call, i));
        const SteeringCommand command = make(id);
        if (std::find(commands.begin(), commands.end(), command) == commands.end()) {
            commands.push_back(command);
        }
    }
    return commands;
}

Result<std::vector<ExperimentId>> experimentsFrom(const SteerCall& call) {
    std::vector<ExperimentId> all;
    for (const std::string& word : call.words) {
        GKS_TRY_ASSIGN(const ExperimentId id, numberFrom(word, "an experiment"));
        all.push_back(id);
    }
    return all;
}

template<class Decision>
Result<SteerCommands> decide(const SteerCall& call) {
    GKS_TRY_ASSIGN(const auto all, experimentsFrom(call));
    SteerCommands commands;
    for (const ExperimentId id : all) {
        commands.emplace_back(Decision{id});
    }
    return commands;
}

// "1.2x"; a plain number is the time that is saved, in percent. One that would do as a ratio as well is refused.
Result<double> gainFrom(const Arguments& options, std::string_view option, double otherwise) {
    const std::string text = options.value(option);
    if (!options.has(option)) {
        return otherwise;
    }
    const bool isRatio = text.ends_with('x');
    double number = 0;
    if (!readNumber(isRatio ? text.substr(0, text.size() - 1) : text, number)) {
        return usageError(fmt::format("{} is a gain such as 1.2x, not {}", option, text), "steer");
    }
    constexpr double mostLikelyRatio = 3;
    if (!isRatio && text.find('.') != std::string::npos && number > 0 && number < mostLikelyRatio) {
        return usageError(fmt::format("{} is read as {} % of time saved", text, text), std::string(option),
                          fmt::format("Write {}x for a ratio, or a whole number of percent", text));
    }
    return isRatio ? number : gainRatio(number);
}

// What the options say of an experiment; the rest stays empty.
Result<command::EditExperiment> described(const Arguments& options, const std::optional<Interval>& known) {
    command::EditExperiment edit;
    if (options.has("--description")) {
        edit.description = options.value("--description");
    }
    if (options.has("--rubric")) {
        edit.rubric = options.value("--rubric");
    }
    if (options.has("--low") || options.has("--high")) {
        const Interval before = known.value_or(Interval{1, 1});
        edit.predicted.emplace();
        GKS_TRY_ASSIGN(edit.predicted->low, gainFrom(options, "--low", before.low));
        GKS_TRY_ASSIGN(edit.predicted->high, gainFrom(options, "--high", before.high));
    }
    if (options.has("--writer") || options.has("--any-writer")) {
        edit.writer = options.value("--writer");
    }
    if (options.has("--innovation")) {
        GKS_TRY_ASSIGN(edit.innovation, options.wholeNumber("--innovation", 0, 0));
    }
    return edit;
}

Result<SteerCommands> pin(const SteerCall& call) {
    command::PinParent pin;
    GKS_TRY_ASSIGN(pin.parent, kernelFrom(call, 0));
    if (call.words.size() > 1) {
        GKS_TRY_ASSIGN(pin.reference, kernelFrom(call, 1));
    }
    return SteerCommands{pin};
}

Result<SteerCommands> edit(const SteerCall& call) {
    GKS_TRY_ASSIGN(const ExperimentId id, numberFrom(call.words[0], "an experiment"));
    const Experiment* known = call.population.experiment(id);
    if (known == nullptr) {
        return usageError(fmt::format("experiment {} not found", id), "steer", "List them with show --experiments");
    }
    GKS_TRY_ASSIGN(command::EditExperiment edit, described(call.options, known->predicted));
    edit.experiment = id;
    return SteerCommands{edit};
}

Result<SteerCommands> propose(const SteerCall& call) {
    command::AddExperiment add;
    GKS_TRY_ASSIGN(add.parent, kernelFrom(call, 0));
    GKS_TRY_ASSIGN(const command::EditExperiment options, described(call.options, {}));
    add.description = options.description.value_or(textFrom(call, 1));
    add.rubric = options.rubric.value_or("");
    add.predicted = options.predicted;
    if (call.options.has("--kind")) {
        GKS_TRY_ASSIGN(add.kind, experimentKindFromName(call.options.value("--kind")));
    }
    if (call.options.has("--reference")) {
        GKS_TRY_ASSIGN(add.reference,
                       kernelFromText(call.options.value("--reference"), call.population, "--reference"));
    }
    add.innovation = options.innovation.value_or(0);
    add.writer = options.writer.value_or("");
    return SteerCommands{add};
}

// "3", or "A3" as prompts and lists have it.
Result<SteerCommands> askForAvenues(const SteerCall& call, bool asked) {
    SteerCommands commands;
    for (const std::string& word : call.words) {
        GKS_TRY_ASSIGN(const AvenueId id, numberFrom(word.starts_with('A') ? word.substr(1) : word, "an avenue"));
        commands.emplace_back(command::AskForAvenue{id, asked});
    }
    return commands;
}

template<class Asked>
Result<SteerCommands> sideBySide(const SteerCall& call) {
    Asked asked;
    GKS_TRY_ASSIGN(asked.kernel, kernelFrom(call, 0));
    GKS_TRY_ASSIGN(asked.other, kernelFrom(call, 1));
    asked.allShapes = !call.options.has("--quick");
    return SteerCommands{asked};
}

Result<SteerCommands> addKernel(const SteerCall& call) {
    GKS_TRY_ASSIGN(const KernelId parent, kernelFrom(call, 0));
    GKS_TRY_ASSIGN(std::string source, readFile(call.words[1], limits::kernelSourceBytes));
    return SteerCommands{command::AddKernel{parent, textFrom(call, 2), std::move(source)}};
}

Result<SteerCommands> sendBack(const SteerCall& call) {
    GKS_TRY_ASSIGN(const KernelId draft, kernelFrom(call, 0));
    return SteerCommands{command::SendBackCode{draft, textFrom(call, 1)}};
}

Result<SteerCommands> rejectCode(const SteerCall& call) {
    GKS_TRY_ASSIGN(const KernelId draft, kernelFrom(call, 0));
    return SteerCommands{command::RejectCode{draft, textFrom(call, 1)}};
}

Result<SteerCommands> editCode(const SteerCall& call) {
    GKS_TRY_ASSIGN(const KernelId draft, kernelFrom(call, 0));
    GKS_TRY_ASSIGN(std::string source, readFile(call.words[1], limits::kernelSourceBytes));
    return SteerCommands{command::EditCode{draft, std::move(source)}};
}

Result<SteerCommands> setMode(const SteerCall& call) {
    GKS_TRY_ASSIGN(const Mode mode, modeFromName(call.words[0]));
    return SteerCommands{command::SetMode{mode}};
}

Result<SteerCommands> setPolicy(const SteerCall& call) {
    const std::string& policy = call.words[0];
    const std::string& value = call.words[1];
    Policies policies = call.population.settings.policies;
    if (policy == "selector") {
        GKS_TRY_ASSIGN(policies.selector, selectorPolicyFromName(value));
    } else if (policy == "pick") {
        GKS_TRY_ASSIGN(policies.pick, pickPolicyFromName(value));
    } else if (policy == "tuning-evaluations") {
        GKS_TRY_ASSIGN(policies.tuningEvaluations, wholeNumberFrom(value, 0, limits::tuningEvaluations));
    } else if (policy == "knowledge-tokens") {
        GKS_TRY_ASSIGN(policies.knowledgeTokens, wholeNumberFrom(value, 0, limits::knowledgeTokens));
    } else if (policy == "calls") {
        GKS_TRY_ASSIGN(policies.modelCalls, wholeNumberFrom(value, 1, limits::modelCalls));
    } else if (policy == "stagnation") {
        GKS_TRY_ASSIGN(policies.stagnation, wholeNumberFrom(value, 0, limits::stagnation));
    } else if (policy == "check-reports" && (value == "yes" || value == "no")) {
        policies.checkReports = value == "yes";
    } else if (policy == "check-code" && (value == "yes" || value == "no")) {
        policies.checkCode = value == "yes";
    } else if (policy == "drafts") {
        GKS_TRY_ASSIGN(policies.drafts, wholeNumberFrom(value, 1, limits::drafts));
    } else if (policy == "screening" && (value == "yes" || value == "no")) {
        policies.screening = value == "yes";
    } else if (policy == "counters" && (value == "yes" || value == "no")) {
        policies.counters = value == "yes";
    } else if (policy == "probes" && (value == "yes" || value == "no")) {
        policies.probes = value == "yes";
    } else {
        return usageError(fmt::format("unknown policy or value: {} {}", policy, value), "steer",
                          "Use selector, pick, tuning-evaluations N, knowledge-tokens N, calls N, stagnation N, "
                          "drafts N, check-reports yes|no, check-code yes|no, screening yes|no, counters yes|no or "
                          "probes yes|no");
    }
    return SteerCommands{command::SetPolicies{policies}};
}

// "m=64,n=128=4": dims in any order, the weight behind the last sign.
Result<std::pair<ShapeExtents, double>> weightFrom(const std::string& word) {
    const std::size_t end = word.rfind('=');
    std::pair<ShapeExtents, double> read;
    bool isShape = end != std::string::npos && readNumber(word.substr(end + 1), read.second).has_value();
    for (const std::string& part : split(isShape ? word.substr(0, end) : word, ',')) {
        const std::size_t at = part.find('=');
        isShape = isShape && at != std::string::npos &&
                  readNumber(part.substr(at + 1), read.first[part.substr(0, at)]).has_value();
    }
    return isShape ? Result<std::pair<ShapeExtents, double>>(std::move(read))
                   : usageError(fmt::format("{} is no weight of a shape", word), "steer",
                                "Write m=64,n=128=4: the shape as show --shapes has it, with commas, and its weight");
}

// Those that are not named keep theirs; without any, every shape has 1 again.
Result<SteerCommands> setWeights(const SteerCall& call) {
    command::SetShapeWeights set;
    if (!call.words.empty()) {
        set.weights = call.population.settings.shapeWeights;
    }
    for (const std::string& word : call.words) {
        GKS_TRY_ASSIGN(auto one, weightFrom(word));
        set.weights[std::move(one.first)] = one.second;
    }
    return SteerCommands{std::move(set)};
}

// The others stay as they are. 0 is no limit.
Result<SteerCommands> setBudget(const SteerCall& call) {
    const std::string& budget = call.words[0];
    Budgets budgets = call.population.settings.budgets;
    const auto whole = [&](std::int64_t& value) { return readNumber(call.words[1], value); };
    const auto real = [&](double& value) { return readNumber(call.words[1], value); };
    GKS_TRY(budget == "evaluations"      ? whole(budgets.evaluations)
            : budget == "minutes"        ? real(budgets.minutes)
            : budget == "usd"            ? real(budgets.usd)
            : budget == "tokens"         ? whole(budgets.tokens)
            : budget == "device-seconds" ? real(budgets.gpuSeconds)
            : budget == "goal-us"        ? real(budgets.goalUs)
            : budget == "fruitless"
                ? whole(budgets.fruitless)
                : usageError(fmt::format("there is no budget {}", budget), "steer",
                             "It is evaluations, minutes, usd, tokens, device-seconds, goal-us or fruitless"));
    return SteerCommands{command::SetBudgets{budgets}};
}

Result<SteerCommands> setModel(const SteerCall& call) {
    const std::string& stage = call.words[0];
    GKS_TRY(checkModelSlot(stage));
    auto models = call.population.settings.models;
    GKS_TRY_ASSIGN(models[stage], modelFrom(call.options));
    if (!namesModel(call.options)) {
        return usageError("nobody is named for the stage", "steer", "Add --model, --command or --folder");
    }
    return SteerCommands{command::SetScientist{ScientistKind::model, std::move(models)}};
}

Result<SteerCommands> dropWriter(const SteerCall& call) {
    auto models = call.population.settings.models;
    if (!hasWriter(models, call.words[0]) || models.erase(writerSlot(call.words[0])) == 0) {
        return usageError(fmt::format("there is no writer {}", quotation(call.words[0])), "steer",
                          writersOf(models).empty() ? "The campaign has no further writers"
                                                    : "Use one of " + join(writersOf(models), ", "));
    }
    return SteerCommands{command::SetScientist{call.population.settings.scientist, std::move(models)}};
}

Result<SteerCommands> setScientist(const SteerCall& call) {
    GKS_TRY_ASSIGN(const ScientistKind kind, scientistKindFromName(call.words[0]));
    return SteerCommands{command::SetScientist{kind, call.population.settings.models}};
}

Result<std::int64_t> findingFrom(const SteerCall& call, const std::string& word) {
    GKS_TRY_ASSIGN(const std::int64_t id, numberFrom(word, "a finding"));
    if (call.population.finding(id) == nullptr) {
        return usageError(fmt::format("finding {} not found", id), "steer", "List them with findings");
    }
    return id;
}

Result<SteerCommands> addFinding(const SteerCall& call) {
    const std::string text = textFrom(call, 0);
    return SteerCommands{command::AddFinding{call.options.value("--subject", oneLine(text)), text}};
}

Result<SteerCommands> editFinding(const SteerCall& call) {
    command::EditFinding edit;
    GKS_TRY_ASSIGN(edit.finding, findingFrom(call, call.words[0]));
    edit.text = textFrom(call, 1);
    if (call.options.has("--subject")) {
        edit.subject = call.options.value("--subject");
    }
    return SteerCommands{edit};
}

Result<SteerCommands> setFindings(const SteerCall& call, FindingState state) {
    SteerCommands commands;
    for (const std::string& word : call.words) {
        GKS_TRY_ASSIGN(const std::int64_t id, findingFrom(call, word));
        commands.emplace_back(command::EditFinding{.finding = id, .state = state});
    }
    return commands;
}

Result<SteerCommands> setPrompt(const SteerCall& call) {
    GKS_TRY_ASSIGN(std::string text, readFile(call.words[1], limits::promptBytes));
    return SteerCommands{command::SetPrompt{call.words[0], std::move(text)}};
}

Result<SteerCommands> takeBack(const SteerCall& call) {
    std::int64_t id = 0; // the newest that can be
    if (!call.words.empty()) {
        GKS_TRY_ASSIGN(id, numberFrom(call.words[0], "a decision"));
    }
    GKS_TRY_ASSIGN(const SteeringCommand command, undoCommand(call.history, call.population, id));
    return SteerCommands{command};
}

constexpr std::size_t any = 1000;

} // namespace

const std::vector<SteerAction>& steerActions() {
    static const std::vector<SteerAction> all = {
        {"pin", "KERNEL [REFERENCE]", "pin the next parent (and the reference kernel)", 1, 2, pin},
        {"unpin", "", "go back to automatic parent selection", 0, 0,
         [](const SteerCall&) -> Result<SteerCommands> { return SteerCommands{command::PinParent{}}; }},
        {"ban", "KERNEL...", "never use as a parent; rejects its open experiments", 1, any,
         [](const SteerCall& call) {
             return forKernels(call, [](KernelId id) { return command::SetBanned{id, true}; });
         }},
        {"unban", "KERNEL...", "", 1, any,
         [](const SteerCall& call) {
             return forKernels(call, [](KernelId id) { return command::SetBanned{id, false}; });
         }},
        {"again", "KERNEL...", "evaluate again in the next run", 1, any,
         [](const SteerCall& call) {
             return forKernels(call, [](KernelId id) { return command::EvaluateAgain{id}; });
         }},
        {"side-by-side", "KERNEL OTHER",
         "measured beside each other on all benchmark shapes when the campaign goes on; --quick: on its own shapes", 2,
         2, sideBySide<command::MeasureSideBySide>},
        {"drop-side-by-side", "KERNEL OTHER", "takes one back that waits; the same option", 2, 2,
         sideBySide<command::UnaskComparison>},
        {"kernel", "PARENT FILE.hip [TITLE]", "add your own kernel; it is evaluated next", 2, any, addKernel},
        {"approve", "EXPERIMENT...", "approve experiments", 1, any, decide<command::ApproveExperiment>},
        {"reject", "EXPERIMENT...", "reject experiments", 1, any, decide<command::RejectExperiment>},
        {"approve-code", "KERNEL...", "of a draft that waits for you (policy check-code yes), or was declined", 1, any,
         [](const SteerCall& call) { return forKernels(call, [](KernelId id) { return command::ApproveCode{id}; }); }},
        {"send-back", "KERNEL TEXT", "the writer gets its code and your words, and writes another draft", 2, any,
         sendBack},
        {"reject-code", "KERNEL [TEXT]", "and its experiment; the text says why", 1, any, rejectCode},
        {"edit-code", "KERNEL FILE.hip", "your source in the place of a draft that waits for you", 2, 2, editCode},
        {"order", "EXPERIMENT...", "reorder the open experiments", 1, any,
         [](const SteerCall& call) -> Result<SteerCommands> {
             GKS_TRY_ASSIGN(auto order, experimentsFrom(call));
             return SteerCommands{command::ReorderExperiments{std::move(order)}};
         }},
        {"edit", "EXPERIMENT", "edit with --description, --rubric, --low, --high, --innovation, --writer, --any-writer",
         1, 1, edit},
        {"propose", "PARENT TEXT", "add your own approved experiment (options of edit, --kind and --reference)", 2, any,
         propose},
        {"avenue", "AVENUE...", "the next design has an experiment that takes it up; see show --rounds", 1, any,
         [](const SteerCall& call) { return askForAvenues(call, true); }},
        {"drop-avenue", "AVENUE...", "no longer", 1, any,
         [](const SteerCall& call) { return askForAvenues(call, false); }},
        {"hint", "[TEXT]", "set the hint added to every prompt (with --stage: of that stage; no TEXT: remove it)", 0,
         any,
         [](const SteerCall& call) -> Result<SteerCommands> {
             return SteerCommands{command::SetHint{textFrom(call, 0), call.options.value("--stage")}};
         }},
        {"mode", "automatic|approve-experiments|step", "when to wait for you", 1, 1, setMode},
        {"budget", "NAME VALUE",
         "evaluations, minutes, usd, tokens or device-seconds of the campaign; goal-us of the best, fruitless "
         "experiments in a row; 0: no limit",
         2, 2, setBudget},
        {"weights", "[SHAPE=W...]",
         "how much shapes count where kernels are ranked, such as m=64,n=128=4; without any: every shape 1", 0, any,
         setWeights},
        {"policy", "NAME VALUE",
         "set selector, pick, tuning-evaluations, knowledge-tokens, calls, stagnation, drafts, check-reports, "
         "check-code, "
         "screening, counters or probes",
         2, 2, setPolicy},
        {"scientist", "tuner|model", "what proposes experiments", 1, 1, setScientist},
        {"model", "STAGE",
         "set the model of a stage, the default, or the further writer writer/NAME (--model, --provider, ...)", 1, 1,
         setModel},
        {"drop-writer", "NAME", "a further writer, who is asked no more", 1, 1, dropWriter},
        {"prompt", "NAME FILE.md", "replace a prompt in this campaign", 2, 2, setPrompt},
        {"reset-prompt", "NAME", "restore the default prompt", 1, 1,
         [](const SteerCall& call) -> Result<SteerCommands> {
             return SteerCommands{command::SetPrompt{call.words[0], {}}};
         }},
        {"finding", "TEXT", "add your own finding (--subject sets its subject)", 1, any, addFinding},
        {"edit-finding", "N TEXT", "replace the text; it is kept as written", 2, any, editFinding},
        {"dismiss-finding", "N...", "remove from the prompts", 1, any,
         [](const SteerCall& call) { return setFindings(call, FindingState::dismissed); }},
        {"restore-finding", "N...", "use in prompts again", 1, any,
         [](const SteerCall& call) { return setFindings(call, FindingState::standing); }},
        {"lane", "LANE...", "re-enable a device", 1, any,
         [](const SteerCall& call) -> Result<SteerCommands> {
             SteerCommands commands;
             for (const std::string& lane : call.words) {
                 commands.emplace_back(command::RestoreLane{lane});
             }
             return commands;
         }},
        {"undo", "[N]", "takes back your last decision of which nothing has come yet, or that one", 0, 1, takeBack},
        {"history", "", "what was decided, the newest first, and what can be taken back; --json", 0, 0, {}},
    };
    return all;
}

} // namespace gks::cli
