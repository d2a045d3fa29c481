// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/doctor.h"

#include "app/cli/commands.h"
#include "app/cli/doctor_lanes.h"
#include "app/cli/output.h"
#include "app/cli/target_trial.h"
#include "core/base/locations.h"
#include "core/judge/confine/sandbox.h"
#include "core/judge/evaluator/session/planner_session.h"
#include "core/target/anchor_build.h"
#include "core/target/packages.h"
#include "core/target/target.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks::cli {
namespace {

struct Provider {
    std::string_view name;
    const char* variable; // whether it is set is said, its value never
};
constexpr std::array providers = {Provider{"OpenAI", "OPENAI_API_KEY"}, Provider{"OpenRouter", "OPENROUTER_API_KEY"},
                                  Provider{"Anthropic", "ANTHROPIC_API_KEY"}, Provider{"Gemini", "GEMINI_API_KEY"}};

bool isSet(const Provider& provider) {
    const char* value = std::getenv(provider.variable);
    return value != nullptr && *value != '\0';
}

struct TargetState {
    TargetKind kind;
    DeviceList list;
    TargetTrial trial = {};
};

std::size_t stoppedOf(const std::vector<EscapeAttempt>& attempts) {
    return static_cast<std::size_t>(
        std::count_if(attempts.begin(), attempts.end(), [](const EscapeAttempt& attempt) { return attempt.stopped; }));
}

// The planner's policy with nothing of a kernel in it.
std::vector<EscapeAttempt> escapesOfPlanner(SandboxLevel level) {
    PlannerSession::Setup setup;
    setup.hostModule = siblingProgram("kernel-scientist-planner");
    return tryToEscape(level, plannerPolicy(setup));
}

// A wall, whether it can be built here, and what it stops.
struct Wall {
    SandboxLevel level;
    std::string trouble; // why it does not work, empty when it does
    std::vector<EscapeAttempt> escapes;
    std::vector<EscapeAttempt> ofPlanner; // from where the host code of kernels runs

    std::size_t stopped() const { return stoppedOf(escapes) + stoppedOf(ofPlanner); }
    std::size_t attempts() const { return escapes.size() + ofPlanner.size(); }
};

// A library that a built-in problem names, and whether it can be measured here.
struct AnchorState {
    std::string problem;
    AnchorSpec anchor;
    std::string where;
    std::string trouble; // empty: its libraries are here
};

std::vector<AnchorState> anchorsHere() {
    std::vector<AnchorState> states;
    const auto packs = builtinProblems();
    for (const ProblemPack& pack : packs ? *packs : std::vector<ProblemPack>()) {
        for (const AnchorSpec& anchor : pack.anchors) {
            const auto found = findAnchorLibraries(anchor);
            states.push_back({pack.name, anchor, found ? found->files.front().string() : std::string(),
                              found ? std::string() : found.error().what});
        }
    }
    return states;
}

struct Examination {
    std::vector<ToolchainFinding> toolchains;
    std::vector<AnchorState> anchors;
    std::vector<TargetState> targets;
    SandboxFinding sandbox;
    std::vector<Wall> walls; // both strong levels, whichever is used

    const Wall* used() const {
        const auto found =
            std::find_if(walls.begin(), walls.end(), [&](const Wall& wall) { return wall.level == sandbox.level; });
        return found == walls.end() ? nullptr : &*found;
    }
    // Something was evaluated, and safely.
    bool healthy() const {
        return used() != nullptr && used()->stopped() == used()->attempts() &&
               std::any_of(targets.begin(), targets.end(),
                           [](const TargetState& state) { return state.trial.result == TargetTrial::Result::ran; });
    }
};

ToolchainFinding pdfReader() {
    const auto found = findProgram("pdftotext");
    return {"pdftotext", found.has_value(), found ? found->string() : "not found; needed to read PDF documents",
            found ? "" : packageAdvice({{"poppler-utils"}}, "poppler-utils, or whatever package has pdftotext here")};
}

Examination examine() {
    ProgressLine progress;
    Examination found;
    progress.step("checking compilers");
    found.toolchains = inspectToolchains();
    found.toolchains.push_back(pdfReader());
    found.anchors = anchorsHere();
    progress.step("checking devices");
    for (const TargetKind kind : {TargetKind::cpu, TargetKind::amd, TargetKind::nvidia}) {
        found.targets.push_back({kind, listDevices(kind)});
    }
    progress.step("testing the sandbox");
    found.sandbox = availableSandbox();
    for (const SandboxLevel level : {SandboxLevel::bubblewrap, SandboxLevel::landlock}) {
        std::string trouble = whyLevelFails(level);
        auto escapes = trouble.empty() ? tryToEscape(level) : std::vector<EscapeAttempt>();
        auto ofPlanner = trouble.empty() ? escapesOfPlanner(level) : std::vector<EscapeAttempt>();
        found.walls.push_back({level, std::move(trouble), std::move(escapes), std::move(ofPlanner)});
    }
    for (TargetState& target : found.targets) {
        progress.step(fmt::format("trying a kernel on {}", name(target.kind)));
        target.trial = tryTarget(target.kind, target.list);
    }
    return found;
}

OrderedJson toJson(const std::vector<EscapeAttempt>& attempts) {
    OrderedJson json = OrderedJson::array();
    for (const EscapeAttempt& attempt : attempts) {
        json.push_back({{"what", attempt.what}, {"stopped", attempt.stopped}, {"detail", attempt.detail}});
    }
    return json;
}

OrderedJson toJson(const Examination& found) {
    OrderedJson json = {
        {"version", programVersion()}, {"healthy", found.healthy()}, {"toolchains", OrderedJson::array()}};
    for (const ToolchainFinding& finding : found.toolchains) {
        json["toolchains"].push_back({{"part", finding.part},
                                      {"found", finding.found},
                                      {"detail", finding.detail},
                                      {"install", finding.install}});
    }
    json["anchors"] = OrderedJson::array();
    for (const AnchorState& state : found.anchors) {
        json["anchors"].push_back({{"problem", state.problem},
                                   {"anchor", state.anchor.name},
                                   {"target", state.anchor.target},
                                   {"found", state.trouble.empty()},
                                   {"detail", state.trouble.empty() ? state.where : state.trouble}});
    }
    json["targets"] = OrderedJson::array();
    for (const auto& [kind, list, trial] : found.targets) {
        OrderedJson target = {{"target", name(kind)},
                              {"available", !list.devices.empty()},
                              {"reason", list.reason},
                              {"trial", toJson(trial)},
                              {"devices", OrderedJson::array()}};
        for (const Device& device : list.devices) {
            target["devices"].push_back({{"index", device.index},
                                         {"name", device.name},
                                         {"architecture", device.architecture},
                                         {"runtime", device.runtime}});
        }
        json["targets"].push_back(std::move(target));
    }
    json["sandbox"] = {
        {"level", name(found.sandbox.level)},
        {"reason", found.sandbox.reason},
        {"escapes", found.used() != nullptr ? toJson(found.used()->escapes) : OrderedJson::array()},
        {"planner_escapes", found.used() != nullptr ? toJson(found.used()->ofPlanner) : OrderedJson::array()},
        {"levels", OrderedJson::array()}};
    for (const Wall& wall : found.walls) {
        json["sandbox"]["levels"].push_back({{"level", name(wall.level)},
                                             {"works", wall.trouble.empty()},
                                             {"reason", wall.trouble},
                                             {"escapes", toJson(wall.escapes)},
                                             {"planner_escapes", toJson(wall.ofPlanner)}});
    }
    json["providers"] = OrderedJson::array();
    for (const Provider& provider : providers) {
        json["providers"].push_back(
            {{"name", provider.name}, {"variable", provider.variable}, {"set", isSet(provider)}});
    }
    return json;
}

void printToolchains(const Examination& found) {
    Table table;
    for (const ToolchainFinding& finding : found.toolchains) {
        table.add({"  " + finding.part, finding.found ? "found" : "missing", finding.detail});
    }
    say("Compilers and headers\n{}\n", table.text());
}

void printAnchors(const Examination& found) {
    Table table;
    for (const AnchorState& state : found.anchors) {
        table.add({fmt::format("  {}, {}", state.problem, state.anchor.target), state.anchor.title,
                   state.trouble.empty() ? "found" : "missing", state.trouble.empty() ? state.where : state.trouble});
    }
    say("Libraries to be measured against\n{}\n", table.text());
}

void printTargets(const Examination& found) {
    Table table;
    for (const auto& [kind, list, trial] : found.targets) {
        if (list.devices.empty()) {
            table.add({fmt::format("  {}", name(kind)), "-", list.reason});
        }
        for (const Device& device : list.devices) {
            table.add({fmt::format("  {}", name(kind)), std::to_string(device.index),
                       fmt::format("{}, {}", device.name, device.architecture)});
        }
    }
    say("Devices\n{}\n", table.text());
    Table trials;
    for (const auto& [kind, list, trial] : found.targets) {
        trials.add({fmt::format("  {}", name(kind)), std::string(name(trial.result)), oneLine(trial.detail)});
    }
    say("One kernel, in the sandbox\n{}\n", trials.text());
}

void printSandbox(const Examination& found) {
    say("Sandbox: {}{}\n", name(found.sandbox.level),
        found.sandbox.reason.empty() ? "" : " (" + found.sandbox.reason + ")");
    Table table;
    if (found.used() != nullptr) {
        for (const EscapeAttempt& attempt : found.used()->escapes) {
            table.add({"  " + attempt.what, attempt.stopped ? "blocked" : "ESCAPED", attempt.detail});
        }
        const std::vector<EscapeAttempt>& ofPlanner = found.used()->ofPlanner;
        table.add({"  the same from the planner", fmt::format("{} of {}", stoppedOf(ofPlanner), ofPlanner.size()),
                   "where the host code of kernels runs"});
        for (const EscapeAttempt& attempt : ofPlanner) {
            if (!attempt.stopped) {
                table.add({"  " + attempt.what + ", from the planner", "ESCAPED", attempt.detail});
            }
        }
    } else {
        table.add({"  kernels cannot run", "until a sandbox works or you pass --allow-no-sandbox"});
    }
    say("{}\n", table.text());
    Table others;
    for (const Wall& wall : found.walls) {
        if (&wall != found.used()) {
            others.add({fmt::format("  {}", name(wall.level)),
                        wall.trouble.empty() ? fmt::format("works, not used; blocked {} of {} escape attempts",
                                                           wall.stopped(), wall.attempts())
                                             : wall.trouble});
        }
    }
    say("Other sandboxes\n{}\n", others.text());
}

void printProviders() {
    Table table;
    for (const Provider& provider : providers) {
        table.add({fmt::format("  {}", provider.name), provider.variable, isSet(provider) ? "set" : "not set"});
    }
    say("API keys (the tuner needs none)\n{}", table.text());
}

void printInstallations(const Examination& found) {
    Table table;
    for (const ToolchainFinding& finding : found.toolchains) {
        if (!finding.found && !finding.install.empty()) {
            table.add({"  " + finding.part, finding.install});
        }
    }
    if (found.sandbox.level != SandboxLevel::bubblewrap) {
        const std::string package =
            packageAdvice({{"bubblewrap"}}, "bubblewrap, from this system's packages or its own project");
        table.add({"  bubblewrap", package + ", and allow user namespaces"});
    }
    if (!table.empty()) {
        say("\nTo install\n{}", table.text());
    }
}

int runDoctor(const Arguments& arguments) {
    if (arguments.has("--lanes")) {
        return runDoctorOfLanes(arguments);
    }
    const Examination found = examine();
    if (arguments.has("--json")) {
        printJson(toJson(found));
    } else {
        printToolchains(found);
        printAnchors(found);
        printTargets(found);
        printSandbox(found);
        printProviders();
        printInstallations(found);
    }
    return found.healthy() ? done : infrastructureFailed;
}

} // namespace

OrderedJson doctorJson() {
    return toJson(examine());
}

const Command doctorCommand = {
    "doctor",
    "",
    "Check this machine: compilers, devices, sandbox, a kernel on each target, and what to install",
    {{"--lanes", "SPEC", "instead come to these lanes, as run --lanes takes them, and say what is there", false},
     {"--target", "cpu|amd|nvidia", "of lanes whose target is the campaign's (default amd)", false},
     {"--json", "", "print JSON", false}},
    runDoctor};

} // namespace gks::cli
