// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hipcpu/retarget/toolchain.h"

#include "core/base/files.h"
#include "core/base/killed.h"
#include "core/base/locations.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/hipcpu/abi.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <tuple>

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

// ROCM_PATH, then the others in /opt, the newest first.
std::vector<HipHeaders> rocmHeaders() {
    std::vector<HipHeaders> found;
    if (const char* path = std::getenv("ROCM_PATH")) {
        if (auto headers = headersIn(path)) {
            found.push_back(std::move(*headers));
        }
    }
    const auto named = static_cast<std::ptrdiff_t>(found.size());
    std::error_code ignored;
    for (fs::directory_iterator at("/opt", ignored), end; !ignored && at != end; at.increment(ignored)) {
        const std::string name = at->path().filename().string();
        auto headers = name == "rocm" || name.starts_with("rocm-") ? headersIn(at->path()) : std::nullopt;
        if (headers) {
            found.push_back(std::move(*headers));
        }
    }
    std::sort(found.begin() + named, found.end(), [](const HipHeaders& a, const HipHeaders& b) {
        return std::tie(b.major, b.minor, b.patch, a.prefix) < std::tie(a.major, a.minor, a.patch, b.prefix);
    });
    return found;
}

// An installed ROCm goes before the distribution's HIP.
Result<HipHeaders> findHeaders() {
    if (auto rocm = rocmHeaders(); !rocm.empty()) {
        return std::move(rocm.front());
    }
    if (auto headers = headersIn("/usr")) {
        return std::move(*headers);
    }
    return infrastructureError("no HIP headers (hip/hip_runtime.h)", "cpu target", installHeaders);
}

} // namespace

std::string Toolchain::identity() const {
    return fmt::format("{}; HIP {} in {}; kernel-scientist {} abi {}", clangVersion, hipVersion, hipPrefix.string(),
                       programVersion(), abiVersion);
}

std::vector<std::filesystem::path> Toolchain::headerFolders() const {
    return {"/usr/include", "/usr/lib", hipPrefix / "include", hipcpuFolder};
}

std::vector<std::string> Toolchain::languageOptions() const {
    std::vector<std::string> options = {
        "-x",        "hip",        "--offload-arch=gfx942", "--hip-path=" + hipPrefix.string(),
        "-nogpulib", "-idirafter", ownHeaders().string(),   "-Wno-unused-result"};
    if (hipMajor > 0) { // otherwise clang looks for share/hip/version, and without one leaves its own part of HIP out
        options.push_back("--hip-version=" + hipVersion);
    }
    if (hipMajor < 6) {
        options.insert(options.end(), {"-isystem", (ownHeaders() / "before").string(), "-DGKS_HIPCPU"});
    }
    if (hipPrefix != "/usr") {
        // Of --hip-path alone clang makes a folder that is searched last, behind another HIP in /usr.
        options.insert(options.end(), {"-isystem", (hipPrefix / "include").string()});
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
    if (wasKilled(version)) {
        return tl::unexpected(killedError("the compiler", clang->string() + " --version", "Try again"));
    }
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
