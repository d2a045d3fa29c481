// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/build/module_places.h"

#include "core/base/process.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <utility>

namespace gks {
namespace {

constexpr std::chrono::seconds symbolizerTimeout(20);
constexpr std::size_t symbolizerMemoryBytes = std::size_t{2} << 30;
constexpr std::size_t placeLimitBytes = 200;

// "kernel.hip:17" of "/tmp/build/kernel.hip:17:5"; empty for what is no place, "??:0:0" for one.
std::string placeIn(std::string_view line) {
    const std::vector<std::string> parts = split(line, ':');
    if (parts.size() < 3 || parts[parts.size() - 2] == "0") {
        return {};
    }
    const std::string file = std::filesystem::path(parts[parts.size() - 3]).filename().string();
    return abbreviated(file + ":" + parts[parts.size() - 2], placeLimitBytes);
}

} // namespace

ModulePlaces::ModulePlaces(std::filesystem::path module, SandboxLevel sandbox, bool allowNoSandbox)
    : m_module(std::move(module)), m_sandbox(sandbox), m_allowNoSandbox(allowNoSandbox) {}

std::map<std::uint64_t, std::string> ModulePlaces::linesOf(const std::set<std::uint64_t>& places) const {
    std::map<std::uint64_t, std::string> found;
    for (const std::uint64_t place : places) {
        found[place] = fmt::format("host code at {:#x}", place);
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
    command.arguments = {tool->string(), "--obj=" + m_module.string(), "--functions=none"};
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
    // For each place in order: what was inlined there first, one a line, then an empty line.
    const std::string said = sanitizedUtf8(run->output);
    auto place = found.begin();
    bool isChosen = false; // a line of the kernel itself, not of a header that it includes
    bool isFirst = true;
    for (const std::string_view line : lines(said)) {
        if (place == found.end()) {
            break;
        }
        if (trimmed(line).empty()) {
            ++place;
            isChosen = false;
            isFirst = true;
            continue;
        }
        const std::string name = placeIn(line);
        const bool isOfKernel = name.find(".hip:") != std::string::npos;
        if (!name.empty() && !isChosen && (isFirst || isOfKernel)) {
            place->second = name;
        }
        isChosen = isChosen || isOfKernel;
        isFirst = false;
    }
    return found;
}

} // namespace gks
