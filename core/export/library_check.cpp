// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/library_check.h"

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

struct CheckPlace {
    fs::path sources;
    fs::path built; // a folder of ours, which alone can be written to
    std::vector<fs::path> readable;
    std::vector<std::pair<std::string, std::string>> environment;
    std::stop_token stop;
};

Result<std::string> inSandbox(const CheckPlace& place, std::vector<std::string> words, bool isCompiler,
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
    if (!run.ok()) {
        const std::string how =
            run.timedOut ? std::string("took too long") : programExit(run.exit, sandbox.level).text();
        return kernelError(fmt::format("{}\n{}{}", how, abbreviated(run.error, 4000), abbreviated(run.output, 4000)),
                           std::string(what));
    }
    return run.output;
}

Result<CheckPlace> placeFor(const fs::path& folder, const fs::path& built, const std::stop_token& stop) {
    CheckPlace place;
    std::error_code code;
    place.sources = fs::canonical(folder, code);
    place.built = built;
    place.stop = stop;
    const fs::path cache = cacheFolder() / "pch";
    GKS_TRY(makeDirectories(cache));
    place.readable = {hipcpuFolder(), cache};
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

Result<LibraryCheck> checkOnCpu(const ExportedKernel& kernel, const CheckPlace& place) {
    const Toolchain& tools = toolchain();
    if (tools.hipcc.empty() || !tools.clang) {
        return infrastructureError("kernel-scientist-hipcc or clang 19 is missing", "export --check", seeDoctor);
    }
    GKS_TRY(prepareToolchain(commonTarget(TargetKind::cpu)));
    const std::string cache = (cacheFolder() / "pch").string();
    const auto compiler = [&](std::vector<std::string> words) {
        words.insert(words.begin(), {tools.hipcc.string(), "--cache", cache, "-O3", "-std=c++17"});
        const auto options = repeatableOptions(kernel);
        words.insert(words.end(), options.begin(), options.end());
        return words;
    };
    const fs::path library = place.built / ("lib" + kernel.name + ".so");
    const fs::path reference = place.built / "reference.o";
    const fs::path program = place.built / "test";
    GKS_TRY(inSandbox(place,
                      compiler({"-shared", (place.sources / (kernel.name + ".hip")).string(), "-o", library.string()}),
                      true, kernel.name + ".hip"));
    GKS_TRY(inSandbox(place,
                      {tools.clang->string(), "-std=c++20", "-O2", "-c",
                       (place.sources / "test/reference.cpp").string(), "-o", reference.string()},
                      true, "test/reference.cpp"));
    GKS_TRY(inSandbox(place,
                      compiler({(place.sources / "test" / ("test_" + kernel.name + ".hip")).string(),
                                reference.string(), "-I" + place.sources.string(), "-L" + place.built.string(),
                                "-l" + kernel.name, "-Wl,-rpath," + place.built.string(), "-o", program.string()}),
                      true, "test/test_" + kernel.name + ".hip"));
    LibraryCheck check = {"kernel-scientist-hipcc", true, {}};
    GKS_TRY_ASSIGN(check.output, inSandbox(place, {program.string()}, false, "test_" + kernel.name));
    return check;
}

Result<LibraryCheck> compileForNvidia(const ExportedKernel& kernel, const CheckPlace& place) {
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
                                      (place.sources / (kernel.name + ".hip")).string(),
                                      "-o",
                                      (place.built / ("lib" + kernel.name + ".so")).string()};
    const auto options = repeatableOptions(kernel);
    words.insert(words.end(), options.begin(), options.end());
    GKS_TRY(inSandbox(place, std::move(words), true, kernel.name + ".hip"));
    return LibraryCheck{"nvcc", false, {}};
}

} // namespace

Result<LibraryCheck> checkLibrary(const ExportedKernel& kernel, const fs::path& folder, const std::stop_token& stop) {
    GKS_TRY_ASSIGN(const TemporaryDirectory built, TemporaryDirectory::create("gks-export"));
    GKS_TRY_ASSIGN(const CheckPlace place, placeFor(folder, built.path(), stop));
    if (kernel.target == TargetKind::amd) {
        return infrastructureError("a library for an AMD card is not compiled here", "export --check",
                                   "The export is written: build it with CMake, which runs its test as well");
    }
    return kernel.target == TargetKind::nvidia ? compileForNvidia(kernel, place) : checkOnCpu(kernel, place);
}

} // namespace gks
