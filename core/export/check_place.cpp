// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/check_place.h"

#include "core/base/disk_room.h"
#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/base/text.h"
#include "core/export/library_files.h"
#include "core/judge/confine/sandbox.h"
#include "core/target/toolchain.h"

#include <fmt/format.h>

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t checkMemoryBytes = std::size_t{8} << 30;
constexpr std::size_t checkFileBytes = std::size_t{1} << 30;
constexpr std::chrono::minutes checkTime(9);

fs::path compilerCache() {
    return cacheFolder() / "pch";
}

Result<void> compileForNvidia(const ExportedKernel& kernel, const CheckPlace& place, const fs::path& source) {
    const auto& cuda = toolchain().cuda;
    if (!cuda) {
        return infrastructureError("nvcc was not found: nothing can be compiled for an NVIDIA card here",
                                   "export --check", seeDoctor);
    }
    std::vector<std::string> words = {cuda->nvcc.string(),
                                      "-x",
                                      "cu",
                                      "-O3",
                                      "-std=c++17",
                                      "--expt-relaxed-constexpr",
                                      "-Xcompiler",
                                      "-fPIC",
                                      "-shared",
                                      "-gencode=arch=compute_90a,code=sm_90a",
                                      source.string(),
                                      "-o",
                                      compiledInterface(kernel, place).string()};
    const auto options = repeatableOptions(kernel);
    words.insert(words.end(), options.begin(), options.end());
    GKS_TRY(runInPlace(place, std::move(words), true, source.filename().string()));
    return {};
}

} // namespace

Result<CheckPlace> checkPlace(const fs::path& folder, const fs::path& built, const std::stop_token& stop) {
    CheckPlace place;
    std::error_code code;
    place.sources = fs::canonical(folder, code);
    place.built = built;
    place.stop = stop;
    GKS_TRY(makeDirectories(compilerCache()));
    place.readable = {hipcpuFolder(), compilerCache()};
    const Toolchain& tools = toolchain();
    if (!tools.hipcc.empty()) {
        place.readable.push_back(tools.hipcc.parent_path());
    }
    place.environment = {{"GKS_HIPCPU", hipcpuFolder().string()}};
    if (tools.headers && tools.headers->prefix != "/usr") {
        place.readable.push_back(tools.headers->prefix);
        place.environment.emplace_back("ROCM_PATH", tools.headers->prefix.string());
    }
    if (tools.cuda && !tools.cuda->root.string().starts_with("/usr/")) {
        place.readable.push_back(tools.cuda->root);
    }
    return place;
}

Result<std::string> runInPlace(const CheckPlace& place, std::vector<std::string> words, bool isCompiler,
                               std::string_view what) {
    const SandboxFinding& sandbox = availableSandbox();
    if (sandbox.level == SandboxLevel::none) {
        return infrastructureError("no sandbox works here: " + sandbox.reason, "export --check",
                                   "The export is written; build and run it where you trust its sources");
    }
    SandboxPolicy policy;
    policy.readable = place.readable;
    policy.readable.push_back(place.sources);
    policy.writable = {place.built};
    policy.temporary = place.built;
    policy.limits = {checkMemoryBytes, static_cast<std::size_t>(std::chrono::seconds(checkTime).count()),
                     checkFileBytes, 1024};
    policy.mayStartProcesses = isCompiler;
    policy.environment = place.environment;
    Command command;
    command.arguments = std::move(words);
    command.folder = place.built;
    GKS_TRY_ASSIGN(const Command wall, sandboxed(std::move(command), policy, sandbox.level));
    GKS_TRY_ASSIGN(const CompletedProcess run, runProcess(wall, {.timeout = checkTime, .stop = place.stop}));
    if (run.cancelled) {
        return cancelledError("export --check");
    }
    if (!run.ok() && isCompiler && isDiskFull(place.built)) {
        return infrastructureError("the disk with the temporary folder is full", place.built.string(),
                                   "The export is written; make room and try again");
    }
    if (!run.ok()) {
        const std::string how =
            run.timedOut ? std::string("took too long") : programExit(run.exit, sandbox.level).text();
        return kernelError(fmt::format("{}\n{}{}", how, abbreviated(run.error, 4000), abbreviated(run.output, 4000)),
                           std::string(what));
    }
    return run.output;
}

Result<std::vector<std::string>> hipccWords(const ExportedKernel& kernel, const std::vector<std::string>& words) {
    const Toolchain& tools = toolchain();
    if (tools.hipcc.empty() || !tools.clang) {
        return infrastructureError("kernel-scientist-hipcc or clang 19 is missing", "export --check", seeDoctor);
    }
    GKS_TRY(prepareToolchain(commonTarget(TargetKind::cpu)));
    std::vector<std::string> all = {tools.hipcc.string(), "--cache", compilerCache().string(), "-O3", "-std=c++17"};
    all.insert(all.end(), words.begin(), words.end());
    const auto options = repeatableOptions(kernel);
    all.insert(all.end(), options.begin(), options.end());
    return all;
}

fs::path compiledInterface(const ExportedKernel& kernel, const CheckPlace& place) {
    return place.built / ("lib" + kernel.name + ".so");
}

Result<std::string> compileInterface(const ExportedKernel& kernel, const CheckPlace& place, const fs::path& source) {
    if (kernel.target == TargetKind::amd) {
        return infrastructureError("a source for an AMD card is not compiled here", "export --check",
                                   "The export is written: build it where the card is");
    }
    if (kernel.target == TargetKind::nvidia) {
        GKS_TRY(compileForNvidia(kernel, place, source));
        return std::string("nvcc");
    }
    GKS_TRY_ASSIGN(std::vector<std::string> words, hipccWords(kernel, {"-shared", "-x", "hip", source.string(), "-o",
                                                                       compiledInterface(kernel, place).string()}));
    GKS_TRY(runInPlace(place, std::move(words), true, source.filename().string()));
    return std::string("kernel-scientist-hipcc");
}

} // namespace gks
