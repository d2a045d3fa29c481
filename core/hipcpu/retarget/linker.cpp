// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/linker.h"

#include "core/base/killed.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/hipcpu/options/split_files.h"
#include "core/hipcpu/retarget/host_builtins.h"
#include "core/hipcpu/retarget/link_line.h"
#include "core/hipcpu/retarget/source_check.h"
#include "core/hipcpu/retarget/split_stubs.h"

#include <fmt/format.h>
#include <future>
#include <set>

namespace gks::hipcpu {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t diagnosticLimitBytes = 32 * 1024;

constexpr std::string_view notInTarget = "is not available on the cpu target";
constexpr std::string_view notForDevice = "is not available to device code on the cpu target";

// What the linker misses is either a function that the source declares and nobody defines, or one that HIP has and the
// cpu target has not. Both are the kernel's affair; anything else is the machine's.
Result<void> linkError(const CompletedProcess& process, std::string_view refusal) {
    static constexpr std::string_view missing = "undefined symbol: ";
    std::set<std::string> names;
    for (const std::string_view line : lines(process.error)) {
        if (const std::size_t at = line.find(missing); at != std::string_view::npos) {
            names.emplace(line.substr(at + missing.size()));
        }
    }
    if (names.empty()) {
        return infrastructureError(boundedDiagnostics(process.error), "link", "Is lld-19 installed?");
    }
    std::vector<std::string> messages;
    for (const std::string& name : names) {
        messages.push_back(fmt::format("error: {} {}", readableName(name), refusal));
    }
    return kernelError(boundedDiagnostics(join(messages, "\n")));
}

void append(std::vector<std::string>& arguments, const std::vector<std::string>& words) {
    arguments.insert(arguments.end(), words.begin(), words.end());
}

std::vector<std::string> pathTexts(const std::vector<fs::path>& paths) {
    std::vector<std::string> texts;
    for (const fs::path& path : paths) {
        texts.push_back(path.string());
    }
    return texts;
}

} // namespace

std::string boundedDiagnostics(const std::string& diagnostics) {
    return abbreviated(sanitizedUtf8(diagnostics), diagnosticLimitBytes);
}

Result<void> Linker::run(std::vector<std::string> arguments, std::string_view refusal) const {
    Command command;
    command.arguments = {m_toolchain.clang.string(), "-fuse-ld=lld"};
    append(command.arguments, arguments);
    GKS_TRY_ASSIGN(const CompletedProcess process,
                   runProcess(command, {.timeout = m_options.timeout, .stop = m_options.stop}));
    if (process.cancelled) {
        return cancelledError("link");
    }
    if (wasKilled(process)) {
        return tl::unexpected(killedError("the linker", "link"));
    }
    return process.ok() ? Result<void>() : linkError(process, refusal);
}

Result<void> Linker::link(const std::vector<fs::path>& objects, const std::vector<std::string>& units,
                          const fs::path& scratch) const {
    std::vector<std::string> files = pathTexts(objects);
    if (m_options.kind == OutputKind::object) {
        std::vector<std::string> arguments = {"-o", m_options.output.string(), "-r", "-nostdlib"};
        append(arguments, files);
        return run(std::move(arguments), notInTarget);
    }
    append(files, pathTexts(m_options.objects));
    const fs::path builtins = scratch / "builtins.o";
    GKS_TRY(emitHostBuiltins(builtins));
    files.push_back(builtins.string());
    files.push_back(m_toolchain.runtimeLibrary().string());
    std::vector<std::string> options;
    for (std::size_t i = 1; i < units.size(); ++i) { // one module, which is registered once
        for (const char* symbol : {"__hip_fatbin_", "__hip_gpubin_handle_"}) {
            options.push_back(fmt::format("-Wl,--defsym={0}{1}={0}{2}", symbol, units[i], units.front()));
        }
    }
    if (m_options.kind == OutputKind::sharedObject) {
        append(options, {"-shared", "-Wl,-z,defs"});
    } else {
        options.push_back("-Wl,-rpath," + m_toolchain.hipcpuFolder.string());
    }
    append(options, m_options.compiler.linker);
    options.emplace_back("-lm");
    if (isLinkedDirectly(files, options)) {
        return {};
    }
    std::vector<std::string> arguments = {"-o", m_options.output.string()};
    append(arguments, files);
    append(arguments, options);
    return run(std::move(arguments), notInTarget);
}

// Whatever goes wrong is said by the way that takes longer.
bool Linker::isLinkedDirectly(const std::vector<std::string>& objects, const std::vector<std::string>& options) const {
    std::vector<std::string> asked = {"-fuse-ld=lld", "-o", std::string(placeOfOutput), std::string(placeOfObjects)};
    append(asked, options);
    Command command;
    for (const std::string& word : linkLine(m_toolchain, asked, m_options.cacheFolder)) {
        if (word == placeOfObjects) {
            append(command.arguments, objects);
        } else {
            command.arguments.push_back(word == placeOfOutput ? m_options.output.string() : word);
        }
    }
    if (command.arguments.empty()) {
        return false;
    }
    const auto process = runProcess(command, {.timeout = m_options.timeout, .stop = m_options.stop});
    return process && process->ok();
}

Result<void> Linker::split(const SplitObjects& objects, const fs::path& folder, const fs::path& scratch) const {
    const fs::path hostStubs = scratch / "stubs.host.o";
    const fs::path deviceStubs = scratch / "stubs.device.o";
    GKS_TRY(emitHostStubs(objects.unit, hostStubs));
    const fs::path builtins = scratch / "builtins.o";
    GKS_TRY(emitDeviceStubs(objects.unit, deviceStubs));
    GKS_TRY(emitHostBuiltins(builtins));
    std::vector<std::string> host = {"-shared",
                                     objects.host.string(),
                                     hostStubs.string(),
                                     builtins.string(),
                                     "-o",
                                     (folder / hostModuleFile).string()};
    append(host, m_options.compiler.linker);
    host.emplace_back("-lm");
    // libgcc: conversions that this processor has no instruction for. It is linked in, and brings nothing with it.
    // Code has its pages for itself (see device_image.h).
    const auto device = [&](const std::vector<fs::path>& parts, const char* file) {
        std::vector<std::string> arguments = {
            "-shared",    "-nostdlib",           "-Wl,-z,defs", "-Wl,-Bsymbolic", "-Wl,--exclude-libs,ALL",
            "-Wl,-z,now", "-Wl,-z,separate-code"};
        append(arguments, pathTexts(parts));
        append(arguments, {deviceStubs.string(), "-o", (folder / file).string(), "-lgcc"});
        return run(std::move(arguments), notForDevice);
    };
    auto checked = std::async(std::launch::async, [&] { return device(objects.checked, checkedModuleFile); });
    const Result<void> hostDone = run(std::move(host), notInTarget);
    const Result<void> deviceDone = hostDone ? device(objects.device, deviceModuleFile) : hostDone;
    const Result<void> checkedDone = checked.get();
    GKS_TRY(deviceDone);
    return checkedDone;
}

} // namespace gks::hipcpu
