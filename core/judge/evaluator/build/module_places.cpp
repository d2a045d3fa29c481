// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/build/module_places.h"

#include "core/base/json.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/judge/json_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace gks {
namespace {

constexpr std::chrono::seconds symbolizerTimeout(20);
constexpr std::size_t symbolizerMemoryBytes = std::size_t{2} << 30;
constexpr std::size_t placeLimitBytes = 200;

// What the tool says of one place: a function and a line for each call that was inlined there, the innermost first. A
// line of the kernel itself goes before one of a header that it includes. Where the compiler has made one call of two
// there is no line, and the function that holds it has to do. Empty where nothing is known.
std::string placeIn(const Json& answer) {
    std::string place;
    std::string function;
    bool isInnermost = true;
    const auto frames = answer.is_object() ? answer.find("Symbol") : answer.end();
    for (const Json& frame : frames != answer.end() && frames->is_array() ? *frames : Json::array()) {
        FieldReader fields(frame, "symbolizer");
        std::string file;
        std::int64_t line = 0;
        std::string name;
        fields.read("FileName", file);
        fields.read("Line", line);
        fields.read("FunctionName", name);
        if (!fields.finish()) {
            return {};
        }
        function = name.empty() ? function : "in " + abbreviated(sanitizedUtf8(name), placeLimitBytes);
        file = std::filesystem::path(file).filename().string();
        const bool isOfKernel = file.ends_with(".hip");
        if (line > 0 && !file.empty() && (isOfKernel || isInnermost)) {
            place = abbreviated(sanitizedUtf8(fmt::format("{}:{}", file, line)), placeLimitBytes);
        }
        if (line > 0 && isOfKernel) {
            break;
        }
        isInnermost = false;
    }
    return place.empty() ? function : place;
}

} // namespace

ModulePlaces::ModulePlaces(std::filesystem::path module, SandboxLevel sandbox, bool allowNoSandbox)
    : m_module(std::move(module)), m_sandbox(sandbox), m_allowNoSandbox(allowNoSandbox) {}

std::map<std::uint64_t, std::string> ModulePlaces::linesOf(const std::set<std::uint64_t>& places) const {
    std::map<std::uint64_t, std::string> found;
    for (const std::uint64_t place : places) {
        found[place] = fmt::format("host code, offset {:#x}", place);
    }
    const auto tool = findProgram("llvm-symbolizer-19", {"/usr/lib/llvm-19/bin"});
    if (!tool || places.empty()) {
        return found;
    }
    SandboxPolicy policy;
    policy.readable = {m_module};
    policy.allowNone = m_allowNoSandbox;
    policy.limits.addressSpaceBytes = symbolizerMemoryBytes;
    Command command;
    command.arguments = {tool->string(), "--obj=" + m_module.string(), "--output-style=JSON"};
    for (const std::uint64_t place : places) {
        command.arguments.push_back(fmt::format("{:#x}", place));
    }
    RunOptions options;
    options.timeout = symbolizerTimeout;
    const auto run = sandboxed(std::move(command), policy, m_sandbox).and_then([&](const Command& wall) {
        return runProcess(wall, options);
    });
    if (!run || !run->ok()) {
        return found;
    }
    const auto answers = parseJson(run->output, "symbolizer");
    auto place = found.begin(); // the answers are in order
    for (const Json& answer : answers && answers->is_array() ? *answers : Json::array()) {
        if (place == found.end()) {
            break;
        }
        const std::string name = placeIn(answer);
        place->second = name.empty() ? place->second : name;
        ++place;
    }
    return found;
}

} // namespace gks
