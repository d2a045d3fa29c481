// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scientist/knowledge.h"
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gks::cli {
namespace {

int listMachines(bool asJson) {
    OrderedJson json = {{"machines", OrderedJson::array()}};
    Table table;
    table.add({"Architecture", "Sections", "Tokens (approx.)"});
    for (const std::string& machine : knownMachines()) {
        const auto sections = knowledgeSections(machine);
        if (!sections) {
            return failed(sections.error());
        }
        std::int64_t tokens = 0;
        for (const KnowledgeSection& section : *sections) {
            tokens += estimatedTokens(section.text);
        }
        json["machines"].push_back({{"machine", machine}, {"sections", sections->size()}, {"tokens", tokens}});
        table.add({machine, std::to_string(sections->size()), std::to_string(tokens)});
    }
    if (asJson) {
        printJson(json);
    } else {
        say("{}", table.text());
    }
    return done;
}

int runKnowledge(const Arguments& arguments) {
    const std::string& machine = arguments.positional();
    const auto known = knownMachines();
    if (machine.empty()) {
        return listMachines(arguments.has("--json"));
    }
    if (std::find(known.begin(), known.end(), machine) == known.end()) { // a name, never a path
        return failed(Error{ErrorKind::usage, fmt::format("no machine notes for '{}'", machine), "knowledge",
                            "Available: " + join(known, ", ")});
    }
    const auto sections = knowledgeSections(machine);
    if (!sections) {
        return failed(sections.error());
    }
    OrderedJson json = {{"machine", machine}, {"sections", OrderedJson::array()}};
    for (const KnowledgeSection& section : *sections) {
        json["sections"].push_back({{"heading", section.heading},
                                    {"always", section.always},
                                    {"tokens", estimatedTokens(section.text)},
                                    {"text", section.text}});
        if (!arguments.has("--json")) {
            say("{}", section.text);
        }
    }
    if (arguments.has("--json")) {
        printJson(json);
    }
    return done;
}

} // namespace

const Command knowledgeCommand = {"knowledge",
                                  "[ARCH]",
                                  "Print the machine notes that go into prompts. Without ARCH: list the architectures",
                                  {{"--json", "", "print JSON", false}},
                                  runKnowledge};

} // namespace gks::cli
