// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/base/locations.h"
#include "core/judge/sandbox.h"
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
};

struct Examination {
    std::vector<ToolchainFinding> toolchains;
    std::vector<TargetState> targets;
    SandboxFinding sandbox;
    std::vector<EscapeAttempt> escapes;

    // Something can be evaluated, and safely.
    bool healthy() const {
        return sandbox.level != SandboxLevel::none &&
               std::all_of(escapes.begin(), escapes.end(),
                           [](const EscapeAttempt& attempt) { return attempt.stopped; }) &&
               std::any_of(targets.begin(), targets.end(),
                           [](const TargetState& state) { return !state.list.devices.empty(); });
    }
};

Examination examine() {
    ProgressLine progress;
    Examination found;
    progress.step("looking for compilers");
    found.toolchains = inspectToolchains();
    progress.step("looking for devices");
    for (const TargetKind kind : {TargetKind::cpu, TargetKind::amd, TargetKind::nvidia}) {
        found.targets.push_back({kind, listDevices(kind)});
    }
    progress.step("trying to escape from the sandbox");
    found.sandbox = availableSandbox();
    found.escapes = tryToEscape(found.sandbox.level);
    return found;
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
    json["targets"] = OrderedJson::array();
    for (const auto& [kind, list] : found.targets) {
        OrderedJson target = {{"target", name(kind)},
                              {"available", !list.devices.empty()},
                              {"reason", list.reason},
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
        {"level", name(found.sandbox.level)}, {"reason", found.sandbox.reason}, {"escapes", OrderedJson::array()}};
    for (const EscapeAttempt& attempt : found.escapes) {
        json["sandbox"]["escapes"].push_back(
            {{"what", attempt.what}, {"stopped", attempt.stopped}, {"detail", attempt.detail}});
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
        table.add({"  " + finding.part, finding.found ? "found" : "missing", printable(finding.detail)});
    }
    fmt::print("Compilers and headers\n{}\n", table.text());
}

void printTargets(const Examination& found) {
    Table table;
    for (const auto& [kind, list] : found.targets) {
        if (list.devices.empty()) {
            table.add({fmt::format("  {}", name(kind)), "-", printable(list.reason)});
        }
        for (const Device& device : list.devices) {
            table.add({fmt::format("  {}", name(kind)), std::to_string(device.index),
                       fmt::format("{}, {}", printable(device.name), printable(device.architecture))});
        }
    }
    fmt::print("Devices\n{}\n", table.text());
}

void printSandbox(const Examination& found) {
    fmt::print("Sandbox: {}{}\n", name(found.sandbox.level),
               found.sandbox.reason.empty() ? "" : " (" + printable(found.sandbox.reason) + ")");
    Table table;
    for (const EscapeAttempt& attempt : found.escapes) {
        table.add({"  " + attempt.what, attempt.stopped ? "stopped" : "ESCAPED", printable(attempt.detail)});
    }
    fmt::print("{}\n", table.text());
}

void printProviders() {
    Table table;
    for (const Provider& provider : providers) {
        table.add({fmt::format("  {}", provider.name), provider.variable, isSet(provider) ? "set" : "not set"});
    }
    fmt::print("Language models (the tuner needs none)\n{}", table.text());
}

void printInstallations(const Examination& found) {
    Table table;
    for (const ToolchainFinding& finding : found.toolchains) {
        if (!finding.found && !finding.install.empty()) {
            table.add({"  " + finding.part, finding.install});
        }
    }
    if (found.sandbox.level != SandboxLevel::bubblewrap) {
        table.add({"  bubblewrap", "apt install bubblewrap, and allow user namespaces"});
    }
    if (!table.empty()) {
        fmt::print("\nTo install\n{}", table.text());
    }
}

int run(const Arguments& arguments) {
    const Examination found = examine();
    if (arguments.has("--json")) {
        printJson(toJson(found));
    } else {
        printToolchains(found);
        printTargets(found);
        printSandbox(found);
        printProviders();
        printInstallations(found);
    }
    return found.healthy() ? done : infrastructureFailed;
}

} // namespace

const Command doctorCommand = {"doctor",
                               "",
                               "What is here: compilers, devices, sandbox, providers; what to install for the rest",
                               {{"--json", "", "as JSON", false}},
                               run};

} // namespace gks::cli
