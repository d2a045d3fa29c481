// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/killed.h"
#include "core/base/locations.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/target/kernel_language.h"
#include "core/target/target.h"
#include "core/target/toolchain.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <unistd.h>

// What is made once and kept in the cache. Every file appears by a rename, so that processes that make the same thing
// at the same time do not disturb each other.
namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::minutes preparationTimeout(3);

Result<std::string> runTool(const std::vector<std::string>& arguments) {
    Command command;
    command.arguments = arguments;
    RunOptions options;
    options.timeout = preparationTimeout;
    GKS_TRY_ASSIGN(const CompletedProcess run, runProcess(command, options));
    if (wasKilled(run)) {
        return tl::unexpected(killedError("a tool of the compiler", arguments.front(), "Try again"));
    }
    if (!run.ok()) {
        return infrastructureError(fmt::format("{}: {}", run.timedOut ? "timed out" : run.exit.text(),
                                               abbreviated(sanitizedUtf8(run.error), 2000)),
                                   arguments.front());
    }
    return run.output;
}

Result<void> renamed(const fs::path& from, const fs::path& to) {
    std::error_code code;
    fs::rename(from, to, code);
    if (code && !isThere(to)) {
        return infrastructureError(fmt::format("cannot rename: {}", code.message()), to.string());
    }
    return {};
}

// "gfx942" is version 9.4.2, which the device library wants as 9402: major, then minor and stepping (hexadecimal
// digits) of two decimals.
std::optional<int> isaVersion(const std::string& architecture) {
    const std::string digits = architecture.starts_with("gfx") ? architecture.substr(3) : "";
    int major = 0;
    int minorAndStepping = 0;
    if (digits.size() < 3 || digits.size() > 4) {
        return std::nullopt;
    }
    const char* split = digits.data() + digits.size() - 2;
    const char* end = digits.data() + digits.size();
    if (std::from_chars(digits.data(), split, major).ptr != split ||
        std::from_chars(split, end, minorAndStepping, 16).ptr != end) {
        return std::nullopt;
    }
    return major * 1000 + minorAndStepping / 16 * 100 + minorAndStepping % 16;
}

// Device libraries older than an architecture differ from newer ones in a single constant, the number of the
// architecture.
Result<void> addArchitecture(const Toolchain& tools, const fs::path& folder, const std::string& architecture,
                             int version) {
    const auto& assembler = tools.assembler;
    if (!assembler || !tools.clang) {
        return infrastructureError("clang 19 with llvm-as is not installed", "toolchain", seeDoctor);
    }
    GKS_TRY_ASSIGN(const std::string empty, runTool({tools.clang->string(), "--target=amdgcn-amd-amdhsa", "-nogpulib",
                                                     "-x", "c", "-S", "-emit-llvm", "-o", "-", "/dev/null"}));
    const fs::path text = folder / "isa_version.ll";
    GKS_TRY(writeFileAtomically(text,
                                fmt::format("target datalayout = {}\n"
                                            "target triple = \"amdgcn-amd-amdhsa\"\n"
                                            "@__oclc_ISA_version = linkonce_odr hidden local_unnamed_addr addrspace(4) "
                                            "constant i32 {}, align 4\n",
                                            valueAfter(empty, "target datalayout ="), version)));
    const fs::path output = folder / fmt::format("oclc_isa_version_{}.bc", architecture.substr(3));
    GKS_TRY(runTool({assembler->string(), text.string(), "-o", output.string()}));
    return {};
}

Result<void> makePrecompiledHeader(const DeviceCompiler& compiler) {
    if (isThere(compiler.precompiled)) {
        return {};
    }
    GKS_TRY(makeDirectories(compiler.precompiled.parent_path()));
    const fs::path header =
        compiler.precompiled.parent_path() / "hip.h"; // stays: clang looks at it when it uses the result
    if (!isThere(header)) {
        GKS_TRY(writeFileAtomically(header, "#include <hip/hip_runtime.h>\n"));
    }
    const fs::path made = compiler.precompiled.string() + fmt::format(".{}", ::getpid());
    std::vector<std::string> arguments = {compiler.program.string()};
    arguments.insert(arguments.end(), compiler.flags.begin(), compiler.flags.end());
    // Without -emit-llvm the driver would go on to link the header.
    for (const std::string argument : {"-emit-llvm", "-c", "-Xclang", "-emit-pch", "-Xclang", "-fno-pch-timestamp"}) {
        arguments.push_back(argument);
    }
    arguments.insert(arguments.end(), {header.string(), "-o", made.string()});
    GKS_TRY(runTool(arguments));
    return renamed(made, compiler.precompiled);
}

Result<void> prepareHipcpu(const std::string& architecture) {
    const Toolchain& tools = toolchain();
    const fs::path cache = cacheFolder() / "pch";
    const fs::path stamp =
        cache / fmt::format("cpu-{}-{}.ready", architecture,
                            sha256Hex(fmt::format("{} {} {} {}", tools.hipcpuFingerprint, tools.clangFacts.identity,
                                                  tools.headers ? tools.headers->version : "", usualLanguageOption))
                                .substr(0, 16));
    if (isThere(stamp)) {
        return {};
    }
    GKS_TRY(makeDirectories(cache));
    GKS_TRY_ASSIGN(const TemporaryDirectory work, TemporaryDirectory::create("gks-prepare"));
    const fs::path source = work.path() / "empty.hip";
    GKS_TRY(writeFileAtomically(source, "#include <hip/hip_runtime.h>\n__global__ void empty() {}\n"));
    GKS_TRY(runTool({tools.hipcc.string(), "-shared", usualLanguageOption, "--cache", cache.string(),
                     "--offload-arch=" + architecture, source.string(), "-o", (work.path() / "empty.so").string()}));
    return writeFileAtomically(stamp, "");
}

} // namespace

Result<fs::path> deviceLibraryFolder(const Toolchain& tools, const std::string& architecture) {
    const auto& installed = tools.deviceLibraries;
    if (!installed) {
        return infrastructureError(tools.newerDeviceLibraries.empty()
                                       ? "no AMD device libraries (ocml.bc) are installed"
                                       : tools.newerDeviceLibraries,
                                   "toolchain", seeDoctor);
    }
    const auto version = isaVersion(architecture);
    if (!version) {
        return usageError("not an AMD architecture", architecture, "Use a name like gfx942");
    }
    if (isThere(*installed / fmt::format("oclc_isa_version_{}.bc", architecture.substr(3)))) {
        return *installed;
    }
    const fs::path folder =
        cacheFolder() / "device-libraries" /
        fmt::format("{}-{}", architecture,
                    sha256Hex(installed->string() + tools.clangFacts.identity + folderIdentity(*installed, ".bc"))
                        .substr(0, 8));
    if (isThere(folder)) {
        return folder;
    }
    const fs::path made = folder.string() + fmt::format(".{}", ::getpid());
    GKS_TRY(makeDirectories(made));
    std::error_code code;
    for (fs::directory_iterator at(*installed, code), end; !code && at != end; at.increment(code)) {
        std::error_code ignored; // there already, when an earlier process of this number was killed here
        fs::create_symlink(at->path(), made / at->path().filename(), ignored);
    }
    if (code) {
        return infrastructureError(fmt::format("cannot read the folder: {}", code.message()), installed->string());
    }
    GKS_TRY(addArchitecture(tools, made, architecture, *version));
    GKS_TRY(renamed(made, folder));
    fs::remove_all(made, code); // another process was faster
    return folder;
}

Result<void> prepareToolchain(const Target& target) {
    if (target.kind == TargetKind::cpu && !toolchain().hipcpuFingerprint.empty()) {
        GKS_TRY(prepareHipcpu(target.architecture.empty() ? "gfx942" : target.architecture));
    }
    // Without a report a kernel still runs; what is missing is said by planBuild.
    if (const auto compiler = deviceCompiler(target.kind == TargetKind::nvidia ? "gfx942" : target.architecture)) {
        GKS_TRY(makePrecompiledHeader(*compiler));
    }
    return {};
}

} // namespace gks
