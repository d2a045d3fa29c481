// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/trial/reference_library.h"

#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/hash.h"
#include "core/base/killed.h"
#include "core/base/locations.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/judge/evaluator/build/kernel_build.h"

#include <array>
#include <fmt/format.h>
#include <optional>

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr std::array compilers = {"clang++-19", "g++", "c++"};
constexpr std::array flags = {"-std=c++20", "-O3", "-march=native", "-shared", "-fPIC"};
constexpr std::size_t referenceLogLimitBytes = 65536;
constexpr std::size_t referenceReasonLimitBytes = 2000;

Result<fs::path> findCompiler() {
    for (const char* name : compilers) {
        if (const auto found = findProgram(name)) {
            return *found;
        }
    }
    return infrastructureError("no C++ compiler was found for the reference implementation",
                               fmt::format("{}", fmt::join(compilers, ", ")), "Install clang-19 or g++");
}

// The newest of the ready-made libraries that this processor can run; none for a pack of the user's own.
std::optional<fs::path> shippedLibrary(const std::string& source) {
#if defined(__x86_64__)
    const std::string hash = sha256Hex(source);
    for (const auto& [level, fits] : {std::pair("x86-64-v4", __builtin_cpu_supports("x86-64-v4")),
                                      std::pair("x86-64-v3", __builtin_cpu_supports("x86-64-v3"))}) {
        std::error_code ignored;
        if (fs::path path = referenceFolder() / fmt::format("{}-{}.so", hash, level);
            fits && fs::exists(path, ignored)) {
            return path;
        }
    }
#endif
    return std::nullopt;
}

// -march=native ties a library to the processor it was made on, and a home folder may be shared by different machines.
std::string processorFeatures() {
    const Result<std::string> text = readFile("/proc/cpuinfo");
    const std::size_t at = text ? text->find("flags") : std::string::npos;
    return at == std::string::npos ? std::string() : text->substr(at, text->find('\n', at) - at);
}

Result<std::string> compiled(const ProblemPack& pack, const std::string& source, const fs::path& compiler,
                             SandboxLevel sandbox, bool allowNoSandbox) {
    GKS_TRY_ASSIGN(const TemporaryDirectory folder, TemporaryDirectory::create("gks-reference"));
    const fs::path input = folder.path() / "reference.cpp";
    const fs::path output = folder.path() / "reference.so";
    GKS_TRY(writeFileAtomically(input, source));
    const KernelBuild::Limits limits;
    SandboxPolicy policy = limits.policy();
    policy.writable = {folder.path()};
    policy.allowNone = allowNoSandbox;
    Command command;
    command.arguments = {compiler.string()};
    command.arguments.insert(command.arguments.end(), flags.begin(), flags.end());
    command.arguments.insert(command.arguments.end(), {input.string(), "-o", output.string()});
    RunOptions options;
    options.timeout = limits.wallTime;
    options.outputLimitBytes = referenceLogLimitBytes;
    GKS_TRY_ASSIGN(const Command wall, sandboxed(std::move(command), policy, sandbox));
    GKS_TRY_ASSIGN(const CompletedProcess run, runProcess(wall, options));
    const std::string said = replaceAll(sanitizedUtf8(run.error), folder.path().string() + "/", "");
    if (wasKilled(run)) {
        return tl::unexpected(
            killedError("the compiler of the reference implementation", pack.referencePath.string(), "Try again"));
    }
    if (wallFailed(run.exit, sandbox)) {
        return infrastructureError("the sandbox failed: " + quotation(said), "reference",
                                   "Run kernel-scientist-cli doctor");
    }
    if (!run.ok()) {
        const std::string how = run.timedOut
                                    ? fmt::format("the compiler had not ended after {} s", limits.wallTime.count())
                                    : programExit(run.exit, sandbox).text();
        return usageError(fmt::format("the reference implementation does not compile ({}): {}", how,
                                      quotation(said, referenceReasonLimitBytes)),
                          pack.referencePath.string(), "Fix the file");
    }
    return readFile(output, limits.fileBytes);
}

} // namespace

Result<fs::path> referenceLibrary(const ProblemPack& pack, SandboxLevel sandbox, bool allowNoSandbox) {
    GKS_TRY_ASSIGN(const std::string source, readFile(pack.referencePath));
    if (auto shipped = shippedLibrary(source)) {
        return std::move(*shipped);
    }
    GKS_TRY_ASSIGN(const fs::path compiler, findCompiler());
    std::error_code ignored;
    const std::string key =
        sha256Hex(fmt::format("{}\n{} {}\n{}\n{}", source, compiler.string(), fmt::join(flags, " "),
                              fs::file_size(fs::canonical(compiler, ignored), ignored), processorFeatures()));
    const fs::path folder = fs::absolute(cacheFolder(), ignored) / "references";
    fs::path library = folder / (key + ".so");
    if (!fs::exists(library, ignored)) {
        GKS_TRY_ASSIGN(const std::string content, compiled(pack, source, compiler, sandbox, allowNoSandbox));
        GKS_TRY(makeDirectories(folder));
        GKS_TRY(writeFileAtomically(library, content)); // another process may be making the same library
    }
    return library;
}

} // namespace gks
