// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/toolchain.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/locations.h"
#include "core/base/process.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fmt/format.h>

namespace gks {
namespace {

namespace fs = std::filesystem;

std::string printedBy(const fs::path& program, const std::string& option) {
    Command command;
    command.arguments = {program.string(), option};
    RunOptions options;
    options.timeout = std::chrono::seconds(20);
    options.outputLimitBytes = 65536;
    const auto run = runProcess(command, options);
    return run && run->ok() ? run->output : std::string();
}

std::optional<fs::path> llvmTool(std::string_view tool) {
    return findProgram(fmt::format("{}-19", tool), {"/usr/lib/llvm-19/bin"});
}

// ROCM_PATH, then /opt/rocm and /opt/rocm-* (the highest name first), then wherever an amdclang++ in PATH lives.
std::vector<fs::path> rocmRoots() {
    std::vector<fs::path> roots;
    if (const char* named = std::getenv("ROCM_PATH"); named != nullptr && *named != '\0') {
        roots.emplace_back(named);
    }
    roots.emplace_back("/opt/rocm");
    std::error_code ignored;
    std::vector<fs::path> versioned;
    for (fs::directory_iterator at("/opt", ignored), end; !ignored && at != end; at.increment(ignored)) {
        if (at->path().filename().string().starts_with("rocm-")) {
            versioned.push_back(at->path());
        }
    }
    std::sort(versioned.rbegin(), versioned.rend());
    roots.insert(roots.end(), versioned.begin(), versioned.end());
    if (const auto program = findProgram("amdclang++")) {
        roots.push_back(fs::weakly_canonical(*program, ignored).parent_path().parent_path().parent_path());
    }
    std::erase_if(roots, [](const fs::path& root) { return !isThere(root); });
    for (fs::path& root : roots) {
        root = fs::weakly_canonical(root, ignored);
    }
    return roots;
}

std::optional<RocmInstallation> findRocm() {
    for (const fs::path& root : rocmRoots()) {
        for (const char* below : {"llvm/bin/clang++", "lib/llvm/bin/clang++", "bin/amdclang++"}) {
            if (isThere(root / below)) {
                const std::string version = readFile(root / ".info/version", 4096).value_or("");
                return RocmInstallation{root, std::string(trimmed(version)), root / below};
            }
        }
    }
    return std::nullopt;
}

// The first that brings its own fp8 header, otherwise the distribution's, otherwise any.
std::optional<HipHeaders> findHeaders() {
    std::vector<fs::path> prefixes = rocmRoots();
    prefixes.insert(prefixes.begin(), "/usr");
    std::optional<HipHeaders> found;
    for (const fs::path& prefix : prefixes) {
        const auto text = readFile(prefix / "include/hip/hip_version.h", 65536);
        if (!text || !isThere(prefix / "include/hip/hip_runtime.h")) {
            continue;
        }
        const auto number = [&](const char* name) {
            return valueAfter(*text, fmt::format("#define HIP_VERSION_{} ", name));
        };
        HipHeaders headers{prefix, fmt::format("{}.{}.{}", number("MAJOR"), number("MINOR"), number("PATCH")),
                           isThere(prefix / "include/hip/hip_fp8.h")};
        if (!found || (headers.hasFloat8 && !found->hasFloat8)) {
            found = std::move(headers);
        }
    }
    return found;
}

std::optional<fs::path> findDeviceLibraries(const std::optional<RocmInstallation>& rocm) {
    std::vector<fs::path> folders = {"/usr/lib/x86_64-linux-gnu/amdgcn/bitcode",
                                     "/usr/lib/aarch64-linux-gnu/amdgcn/bitcode",
                                     "/usr/lib/llvm-17/lib/clang/17/amdgcn/bitcode", "/usr/amdgcn/bitcode"};
    if (rocm) {
        folders.push_back(rocm->root / "amdgcn/bitcode");
    }
    for (const fs::path& folder : folders) {
        if (isThere(folder / "ocml.bc")) {
            return folder;
        }
    }
    return std::nullopt;
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
    std::sort(versioned.rbegin(), versioned.rend());
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
        return CudaToolkit{root, nvcc, version, runtime};
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
        const std::string version = valueAfter(printedBy(*found.clang, "--version"), "clang version");
        found.clangVersion = version.substr(0, version.find(' '));
    }
    found.readelf = llvmTool("llvm-readelf");
    found.objdump = llvmTool("llvm-objdump");
    found.assembler = llvmTool("llvm-as");
    found.rocm = findRocm();
    found.headers = findHeaders();
    found.deviceLibraries = findDeviceLibraries(found.rocm);
    found.cuda = findCuda();
    found.cudaHeadersFingerprint = cudaHeadersFingerprint();
    found.hipcc = siblingProgram("kernel-scientist-hipcc");
    found.hipcpuFingerprint = hipcpuFingerprint(found.hipcc);
    return found;
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

} // namespace

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
    const Toolchain& tools = toolchain();
    if (!tools.clang) {
        return infrastructureError("clang 19 is not installed", "toolchain", clangPackages);
    }
    if (!tools.headers) {
        return infrastructureError("no HIP headers (hip/hip_runtime.h) are installed", "toolchain", hipPackages);
    }
    GKS_TRY_ASSIGN(const fs::path libraries, deviceLibraryFolder(architecture));
    DeviceCompiler compiler;
    compiler.program = *tools.clang;
    compiler.description = fmt::format("clang {}, HIP headers {}", tools.clangVersion, tools.headers->version);
    compiler.flags = {"-x",
                      "hip",
                      "--offload-arch=" + architecture,
                      "--hip-path=" + tools.headers->prefix.string(),
                      "--rocm-device-lib-path=" + libraries.string(),
                      "--cuda-device-only",
                      "--no-gpu-bundle-output",
                      "-O3",
                      "-std=c++17",
                      "-Wno-unused-result",
                      "-fno-color-diagnostics",
                      "-ferror-limit=20"};
    compiler.readable = {libraries};
    if (tools.headers->prefix != "/usr") {
        compiler.readable.push_back(tools.headers->prefix);
    }
    if (tools.deviceLibraries && !tools.deviceLibraries->string().starts_with("/usr/")) {
        compiler.readable.push_back(*tools.deviceLibraries); // the cache folder links into it
    }
    addOwnHeaders(compiler, *tools.headers);
    const std::string identity = compiler.description + join(compiler.flags, " ") + tools.hipcpuFingerprint;
    compiler.precompiled = cacheFolder() / "pch" / fmt::format("report-{}.pch", sha256Hex(identity).substr(0, 16));
    return compiler;
}

} // namespace gks
