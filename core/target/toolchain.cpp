// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/toolchain.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/locations.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/base/version_order.h"
#include "core/hipcpu/options/compiler_options.h"
#include "core/target/kernel_language.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>

namespace gks {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> llvmTool(std::string_view tool) {
    return findProgram(fmt::format("{}-19", tool), {"/usr/lib/llvm-19/bin"});
}

constexpr int latestClang = 40; // that is looked for

std::optional<LaterClang> findLaterClang() {
    for (int major = latestClang; major > 19; --major) {
        const fs::path folder = fmt::format("/usr/lib/llvm-{}/bin", major);
        const auto tool = [&](std::string_view name) {
            return findProgram(fmt::format("{}-{}", name, major), {folder});
        };
        if (const auto program = tool("clang++")) {
            return LaterClang{*program, clangFacts(*program), tool("llvm-readelf"), tool("llvm-objdump")};
        }
    }
    return std::nullopt;
}

// The first clang that compiles for it, of those that are not older than all that this program takes.
int firstClangOf(const std::string& architecture) {
    return architecture == "gfx950" ? 20 : 19;
}

// An installed ROCm goes before the distribution's HIP.
std::optional<HipHeaders> findHeaders(const RocmPlaces& places) {
    std::vector<fs::path> prefixes = places.roots;
    prefixes.push_back(places.system);
    for (const fs::path& prefix : prefixes) {
        if (const std::string version = hipVersionIn(prefix / "include"); !version.empty()) {
            return HipHeaders{prefix, version, isThere(prefix / "include/hip/hip_fp8.h")};
        }
    }
    return std::nullopt;
}

std::vector<fs::path> deviceLibraryFolders(const std::optional<RocmInstallation>& rocm) {
    std::vector<fs::path> folders = {"/usr/lib/x86_64-linux-gnu/amdgcn/bitcode",
                                     "/usr/lib/aarch64-linux-gnu/amdgcn/bitcode",
                                     "/usr/lib/llvm-17/lib/clang/17/amdgcn/bitcode", "/usr/amdgcn/bitcode"};
    if (rocm) {
        folders.push_back(rocm->deviceLibraries);
    }
    return folders;
}

// CUDA_PATH, then an nvcc in PATH, then /usr/local/cuda and /usr/local/cuda-* (the highest name first).
std::vector<fs::path> cudaPrograms() {
    std::vector<fs::path> programs;
    for (const char* variable : {"CUDA_PATH", "CUDA_HOME"}) {
        if (const char* named = std::getenv(variable); named != nullptr && *named != '\0') {
            programs.push_back(fs::path(named) / "bin/nvcc");
        }
    }
    if (const auto program = findProgram("nvcc", {"/usr/local/cuda/bin"})) {
        programs.push_back(*program);
    }
    std::error_code ignored;
    std::vector<fs::path> versioned;
    for (fs::directory_iterator at("/usr/local", ignored), end; !ignored && at != end; at.increment(ignored)) {
        if (at->path().filename().string().starts_with("cuda-")) {
            versioned.push_back(at->path() / "bin/nvcc");
        }
    }
    std::sort(versioned.begin(), versioned.end(),
              [](const fs::path& a, const fs::path& b) { return versionBefore(b.string(), a.string()); });
    programs.insert(programs.end(), versioned.begin(), versioned.end());
    programs.emplace_back("/opt/cuda/bin/nvcc");
    return programs;
}

std::optional<CudaToolkit> findCuda() {
    for (const fs::path& program : cudaPrograms()) {
        const std::string version = isThere(program) ? valueAfter(printedBy(program, "--version"), ", V") : "";
        if (version.empty()) {
            continue;
        }
        std::error_code ignored;
        const fs::path nvcc = fs::canonical(program, ignored); // it looks for its parts beside itself
        const fs::path root = nvcc.parent_path().parent_path();
        const auto runtime =
            findLibrary({root / "lib64", root / "targets/x86_64-linux/lib", root / "targets/sbsa-linux/lib",
                         root / "lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"},
                        {"libcudart.so", "libcudart.so.13", "libcudart.so.12"});
        const std::string parts =
            fileIdentity(nvcc) + fileIdentity(root / "nvvm/bin/cicc") + fileIdentity(root / "bin/ptxas");
        return CudaToolkit{root, nvcc, version, sha256Hex(parts).substr(0, 12), runtime};
    }
    return std::nullopt;
}

std::string cudaHeadersFingerprint() {
    std::vector<fs::path> files;
    std::error_code ignored;
    for (fs::directory_iterator at(cudaHeaderFolder() / "hip", ignored), end; !ignored && at != end;
         at.increment(ignored)) {
        files.push_back(at->path());
    }
    std::sort(files.begin(), files.end());
    std::string hashes;
    for (const fs::path& file : files) {
        hashes += file.filename().string() + sha256Hex(readFile(file).value_or(""));
    }
    return sha256Hex(hashes).substr(0, 12);
}

// A rebuilt driver or device library makes different modules: both belong to the key of a build.
std::string hipcpuFingerprint(const fs::path& driver) {
    const auto program = readFile(driver, std::size_t{512} << 20);
    if (!program || !isThere(hipcpuFolder() / "hipcpu_device.bc")) {
        return {};
    }
    std::vector<fs::path> files;
    std::error_code ignored;
    for (fs::recursive_directory_iterator at(hipcpuFolder(), ignored), end; !ignored && at != end;
         at.increment(ignored)) {
        const std::string extension = at->path().extension().string();
        if (at->is_regular_file(ignored) && (extension == ".bc" || extension == ".h")) {
            files.push_back(at->path());
        }
    }
    std::sort(files.begin(), files.end());
    std::string hashes = sha256Hex(*program);
    for (const fs::path& file : files) {
        hashes += file.filename().string() + sha256Hex(readFile(file).value_or(""));
    }
    return sha256Hex(hashes).substr(0, 12);
}

Toolchain find() {
    Toolchain found;
    found.clang = llvmTool("clang++");
    if (found.clang) {
        found.clangFacts = clangFacts(*found.clang);
    }
    found.laterClang = findLaterClang();
    found.readelf = llvmTool("llvm-readelf");
    found.objdump = llvmTool("llvm-objdump");
    found.assembler = llvmTool("llvm-as");
    const RocmPlaces places = rocmPlaces();
    RocmSearch search = findRocm(places);
    found.rocm = std::move(search.found);
    found.rocmRefused = std::move(search.refused);
    found.headers = findHeaders(places);
    found.deviceLibraries =
        readableDeviceLibraries(deviceLibraryFolders(found.rocm), found.clangFacts, found.newerDeviceLibraries);
    found.cuda = findCuda();
    found.cudaHeadersFingerprint = cudaHeadersFingerprint();
    found.hipcc = siblingProgram("kernel-scientist-hipcc");
    found.hipcpuFingerprint = hipcpuFingerprint(found.hipcc);
    return found;
}

DeviceCompiler ofRocm(const RocmInstallation& rocm, const Toolchain& tools) {
    DeviceCompiler compiler;
    compiler.program = rocm.compiler;
    compiler.description = fmt::format("{}, HIP headers {}", rocm.description(), rocm.hipVersion);
    compiler.identity = rocm.identity();
    compiler.flags = rocm.flags();
    compiler.readable = rocm.readable;
    compiler.readelf = rocm.readelf ? rocm.readelf : tools.readelf;
    compiler.objdump = rocm.objdump ? rocm.objdump : tools.objdump;
    return compiler;
}

// Where headers do not bring the classes of bf16 and fp8, the project's own do; those in before/ extend headers of
// HIP 5.
void addOwnHeaders(DeviceCompiler& compiler, const HipHeaders& headers) {
    const fs::path own = hipcpuFolder() / "include";
    if (!headers.hasFloat8 && isThere(own)) {
        compiler.flags.insert(compiler.flags.end(), {"-idirafter", own.string()});
        if (headers.version.starts_with("5.")) {
            compiler.flags.insert(compiler.flags.end(), {"-isystem", (own / "before").string()});
        }
        compiler.readable.push_back(own);
    }
}

// Also of the later one that takes its place.
Result<DeviceCompiler> ofClang19(const Toolchain& tools, const std::string& architecture) {
    if (!tools.clang) {
        return infrastructureError("clang 19 is not installed", "toolchain", seeDoctor);
    }
    if (!tools.headers) {
        return infrastructureError("no HIP headers (hip/hip_runtime.h) are installed", "toolchain", seeDoctor);
    }
    GKS_TRY_ASSIGN(const fs::path libraries, deviceLibraryFolder(tools, architecture));
    DeviceCompiler compiler;
    compiler.program = *tools.clang;
    compiler.description = fmt::format("{}, HIP headers {}", tools.clangFacts.version, tools.headers->version);
    compiler.identity = tools.clangFacts.identity + " " + folderIdentity(*tools.deviceLibraries, ".bc");
    compiler.flags = {"--hip-path=" + tools.headers->prefix.string(), "--hip-version=" + tools.headers->version,
                      "--rocm-device-lib-path=" + libraries.string()};
    compiler.readable = {libraries};
    addOwnHeaders(compiler, *tools.headers);
    const std::vector<std::string> first = headerFlags(tools.headers->prefix / "include");
    compiler.flags.insert(compiler.flags.end(), first.begin(), first.end());
    if (tools.headers->prefix != "/usr") {
        // The folder of headers once more by name: in an installation of links it is somewhere else.
        compiler.readable.insert(compiler.readable.end(),
                                 {tools.headers->prefix, tools.headers->prefix / "include/hip"});
    }
    if (!tools.deviceLibraries->string().starts_with("/usr/")) {
        compiler.readable.push_back(*tools.deviceLibraries); // the cache folder links into it
    }
    compiler.readelf = tools.readelf;
    compiler.objdump = tools.objdump;
    return compiler;
}

Result<DeviceCompiler> ofLaterClang(const Toolchain& tools, const std::string& architecture) {
    const int first = firstClangOf(architecture);
    if (tools.rocm && tools.rocm->facts.major >= first) {
        return ofRocm(*tools.rocm, tools);
    }
    if (tools.laterClang && tools.laterClang->facts.major >= first) {
        Toolchain later = tools;
        later.clang = tools.laterClang->program;
        later.clangFacts = tools.laterClang->facts;
        later.readelf = tools.laterClang->readelf;
        later.objdump = tools.laterClang->objdump;
        return ofClang19(later, architecture);
    }
    const std::string here = tools.rocm    ? tools.rocm->description()
                             : tools.clang ? tools.clangFacts.version
                                           : std::string("no clang here");
    return infrastructureError(
        fmt::format("machine code of {} is made by clang {} or later; {} does not know it", architecture, first, here),
        "toolchain",
        fmt::format("Install clang-{0}, llvm-{0} and lld-{0} (https://apt.llvm.org), or ROCm 7.0 "
                    "or later",
                    first));
}

} // namespace

std::optional<fs::path> readableDeviceLibraries(const std::vector<fs::path>& folders, const CompilerFacts& clang,
                                                std::string& newer) {
    for (const fs::path& folder : folders) {
        if (!isThere(folder / "ocml.bc")) {
            continue;
        }
        const int producer = bitcodeProducerIn(folder);
        if (producer <= clang.major) {
            return folder;
        }
        newer = fmt::format("the device libraries in {} are of LLVM {}, which {} cannot read", folder.string(),
                            producer, clang.version.empty() ? "no clang here" : clang.version);
    }
    return std::nullopt;
}

std::optional<fs::path> profilerProgram(TargetKind target) {
    const Toolchain& tools = toolchain();
    const bool isCuda = target == TargetKind::nvidia;
    const char* const name = isCuda ? "ncu" : "rocprofv3";
    const fs::path root =
        isCuda ? (tools.cuda ? tools.cuda->root : fs::path()) : (tools.rocm ? tools.rocm->root : fs::path());
    const fs::path own = root / "bin" / name;
    return !root.empty() && isThere(own) ? std::optional(own) : findProgram(name);
}

bool isThere(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

std::optional<fs::path> findLibrary(const std::vector<fs::path>& folders, const std::vector<std::string>& names) {
    std::error_code ignored;
    for (const fs::path& folder : folders) {
        for (const std::string& name : names) {
            if (const fs::path path = folder / name; fs::exists(path, ignored)) {
                return fs::canonical(path, ignored);
            }
        }
    }
    return std::nullopt;
}

std::string valueAfter(std::string_view text, std::string_view after) {
    const std::size_t at = text.find(after);
    if (at == std::string_view::npos) {
        return {};
    }
    const std::string_view rest = text.substr(at + after.size());
    return std::string(trimmed(rest.substr(0, rest.find('\n'))));
}

const Toolchain& toolchain() {
    static const Toolchain found = find();
    return found;
}

Result<DeviceCompiler> deviceCompiler(const std::string& architecture) {
    return deviceCompiler(toolchain(), architecture);
}

Result<DeviceCompiler> deviceCompiler(const Toolchain& tools, const std::string& architecture) {
    const bool isRocms = tools.rocm && (!tools.clang || !tools.deviceLibraries || !tools.headers);
    GKS_TRY_ASSIGN(DeviceCompiler compiler, firstClangOf(architecture) > 19 ? ofLaterClang(tools, architecture)
                                            : isRocms                       ? ofRocm(*tools.rocm, tools)
                                                                            : ofClang19(tools, architecture));
    std::vector<std::string> more = {"--cuda-device-only", "--no-gpu-bundle-output", "-O3",
                                     usualLanguageOption,  "-Wno-unused-result",     "-fno-color-diagnostics",
                                     "-ferror-limit=20"};
    more.insert(more.end(), hipcpu::withoutModules.begin(), hipcpu::withoutModules.end());
    compiler.flags.insert(compiler.flags.begin(), {"-x", "hip", "--offload-arch=" + architecture});
    compiler.flags.insert(compiler.flags.end(), more.begin(), more.end());
    const std::string identity =
        compiler.description + compiler.identity + join(compiler.flags, " ") + tools.hipcpuFingerprint;
    compiler.precompiled = cacheFolder() / "pch" / fmt::format("report-{}.pch", sha256Hex(identity).substr(0, 16));
    return compiler;
}

} // namespace gks
