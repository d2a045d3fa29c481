// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/toolchain.h"

#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/hipcpu/abi.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>

namespace gks::hipcpu {
namespace fs = std::filesystem;
namespace {

constexpr const char* installCompiler = "Install clang-19 and lld-19";
constexpr const char* installHeaders = "Install libamdhip64-dev, or set ROCM_PATH";

struct HipHeaders {
    fs::path prefix;
    int major = 0;
    int minor = 0;
    int patch = 0;

    bool modern() const { return major > 6 || (major == 6 && minor >= 2); }
    std::string version() const { return fmt::format("{}.{}.{}", major, minor, patch); }
};

int definedNumber(std::string_view text, std::string_view macro) {
    for (const std::string_view line : lines(text)) {
        const std::size_t at = line.find(macro);
        if (!line.starts_with("#define") || at == std::string_view::npos) {
            continue;
        }
        const std::string_view value = trimmed(line.substr(at + macro.size()));
        int number = 0;
        std::from_chars(value.data(), value.data() + value.size(), number);
        return number;
    }
    return 0;
}

std::optional<HipHeaders> headersIn(const fs::path& prefix) {
    std::error_code ignored;
    if (prefix.empty() || !fs::exists(prefix / "include/hip/hip_runtime.h", ignored)) {
        return std::nullopt;
    }
    HipHeaders headers;
    headers.prefix = prefix;
    if (const auto text = readFile(prefix / "include/hip/hip_version.h")) {
        headers.major = definedNumber(*text, "HIP_VERSION_MAJOR ");
        headers.minor = definedNumber(*text, "HIP_VERSION_MINOR ");
        headers.patch = definedNumber(*text, "HIP_VERSION_PATCH ");
    }
    return headers;
}

std::vector<fs::path> rocmPrefixes() {
    std::vector<fs::path> prefixes;
    if (const char* path = std::getenv("ROCM_PATH")) {
        prefixes.emplace_back(path);
    }
    prefixes.emplace_back("/opt/rocm");
    std::vector<fs::path> versioned;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator("/opt", ignored)) {
        if (entry.path().filename().string().starts_with("rocm-")) {
            versioned.push_back(entry.path());
        }
    }
    std::sort(versioned.rbegin(), versioned.rend());
    prefixes.insert(prefixes.end(), versioned.begin(), versioned.end());
    return prefixes;
}

Result<HipHeaders> findHeaders() {
    std::optional<HipHeaders> old;
    for (const fs::path& prefix : rocmPrefixes()) {
        if (auto headers = headersIn(prefix)) {
            if (headers->modern()) {
                return *headers;
            }
            old = old ? old : headers;
        }
    }
    if (auto headers = headersIn("/usr")) {
        return *headers;
    }
    if (old) {
        return *old;
    }
    return infrastructureError("no HIP headers (hip/hip_runtime.h)", "cpu target", installHeaders);
}

} // namespace

std::string Toolchain::identity() const {
    return fmt::format("{}; HIP {} in {}; kernel-scientist {} abi {}", clangVersion, hipVersion, hipPrefix.string(),
                       programVersion(), abiVersion);
}

std::vector<std::string> Toolchain::languageOptions() const {
    std::vector<std::string> options = {
        "-x",        "hip",        "--offload-arch=gfx942", "--hip-path=" + hipPrefix.string(),
        "-nogpulib", "-idirafter", ownHeaders().string(),   "-Wno-unused-result"};
    if (hipMajor < 6) {
        options.insert(options.end(), {"-include", "hip/hip_later.h"});
    }
    return options;
}

Result<Toolchain> findToolchain() {
    Toolchain toolchain;
    const auto clang = findProgram("clang++-19", {"/usr/lib/llvm-19/bin"});
    if (!clang) {
        return infrastructureError("clang++-19 not found", "cpu target", installCompiler);
    }
    toolchain.clang = *clang;
    Command command;
    command.arguments = {clang->string(), "--version"};
    GKS_TRY_ASSIGN(const CompletedProcess version, runProcess(command));
    if (!version.ok() || lines(version.output).empty()) {
        return infrastructureError(version.exit.text(), clang->string() + " --version", installCompiler);
    }
    toolchain.clangVersion = std::string(lines(version.output).front());
    GKS_TRY_ASSIGN(const HipHeaders headers, findHeaders());
    toolchain.hipPrefix = headers.prefix;
    toolchain.hipVersion = headers.version();
    toolchain.hipMajor = headers.major;
    toolchain.hipcpuFolder = gks::hipcpuFolder();
    return toolchain;
}

} // namespace gks::hipcpu
