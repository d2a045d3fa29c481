// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/definition_import.h"
#include "core/import/python_text.h"
#include "core/import/task_import.h"
#include "core/import/yaml_text.h"
#include "tests/fuzz/fuzz.h"

#include <nlohmann/json.hpp>

using gks::fuzz::require;

namespace {

void isRefusedByName(const gks::Error& error, std::string_view place) {
    require(error.kind == gks::ErrorKind::usage, "a stranger's text is a stranger's mistake");
    require(error.where.find(place) != std::string::npos, "an error has its place");
}

void hasAllFiles(const gks::ImportedProblem& problem) {
    for (const char* file : {"problem.toml", "reference.cpp", "seeds/naive.hip", "notes.md"}) {
        const auto found = problem.files.find(file);
        require(found != problem.files.end() && !found->second.empty(), "an accepted problem is a whole pack");
    }
}

constexpr std::string_view task = "tests:\n  - {m: 16, n: 32, k: 48, size: 64, seed: 1}\n";

constexpr std::string_view dialect = R"({"name": "d", "axes": {"m": {"type": "var"}, "n": {"type": "var"},
    "k": {"type": "expr", "expression": "m * n + 1"}}, "inputs": {"x": {"shape": ["k", "n"], "dtype": "float16"},
    "s": {"shape": null, "dtype": "float32"}}, "outputs": {"y": {"shape": ["k", "n"], "dtype": "float16"}},
    "reference": "def run(x, s):\n    return x * s\n"})";

} // namespace

// References in Python that somebody hands over, by themselves and as the two forms that a problem has, and YAML.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(gks::fuzz::text(data, size));
    const auto function = gks::parsePythonFunction(text, "run", "r.py");
    if (function) {
        require(!function->body.empty() && function->body.back().kind == gks::PythonStatement::Kind::give,
                "a function returns");
    } else {
        isRefusedByName(function.error(), "r.py");
    }
    const nlohmann::json definition = {{"name", "d"},
                                       {"axes", {{"m", {{"type", "var"}}}, {"n", {{"type", "const"}, {"value", 8}}}}},
                                       {"inputs", {{"x", {{"shape", {"m", "n"}}, {"dtype", "float32"}}}}},
                                       {"outputs", {{"y", {{"shape", {"m", "n"}}, {"dtype", "float32"}}}}},
                                       {"reference", text}};
    const std::string asDefinition = definition.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    if (const auto problem = gks::problemFromDefinition(asDefinition, "r.py")) {
        hasAllFiles(*problem);
    } else {
        isRefusedByName(problem.error(), "r.py");
    }
    if (const auto problem = gks::problemFromTask(task, text, "t", "r.py")) {
        hasAllFiles(*problem);
    } else {
        isRefusedByName(problem.error(), "r.py");
    }
    if (const auto workloads = gks::readWorkloads(text, "r.py")) {
        require(!workloads->axes.empty(), "accepted workloads name shapes");
        if (const auto problem = gks::problemFromDefinition(dialect, "r.py", *workloads)) {
            hasAllFiles(*problem);
        } else {
            isRefusedByName(problem.error(), "r.py");
        }
    } else {
        isRefusedByName(workloads.error(), "r.py");
    }
    if (const auto yaml = gks::parseYaml(text, "r.py"); !yaml) {
        isRefusedByName(yaml.error(), "r.py");
    }
    return 0;
}
