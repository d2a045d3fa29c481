// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/locations.h"

#include <array>
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace gks {
namespace {

namespace fs = std::filesystem;

fs::path fromEnvironment(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' ? fs::path(value) : fs::path();
}

fs::path homeFolder() {
    const fs::path home = fromEnvironment("HOME");
    return home.empty() ? fs::path("/tmp") : home;
}

fs::path userFolder(const char* overrideName, const char* xdgName, const char* belowHome) {
    if (fs::path path = fromEnvironment(overrideName); !path.empty()) {
        return path;
    }
    const fs::path xdg = fromEnvironment(xdgName);
    return (xdg.empty() ? homeFolder() / belowHome : xdg) / "kernel-scientist";
}

fs::path installedOrSource(const char* overrideName, const char* belowShare, const char* belowSource) {
    if (fs::path path = fromEnvironment(overrideName); !path.empty()) {
        return path;
    }
    std::error_code ignored;
    const fs::path installed = executableFolder() / "../share/kernel-scientist" / belowShare;
    if (fs::is_directory(installed, ignored)) {
        return fs::weakly_canonical(installed, ignored);
    }
    return fs::path(GKS_SOURCE_DIR) / belowSource;
}

} // namespace

std::string_view programVersion() {
    return GKS_VERSION;
}

std::string machineName() {
    std::array<char, 256> name{};
    ::gethostname(name.data(), name.size() - 1);
    return name.data();
}

fs::path executableFolder() {
    std::error_code ignored;
    const fs::path self = fs::read_symlink("/proc/self/exe", ignored);
    return self.empty() ? fs::path(".") : self.parent_path();
}

fs::path siblingProgram(std::string_view name) {
    const std::array candidates = {executableFolder() / name, executableFolder() / "../libexec/kernel-scientist" / name,
                                   executableFolder() / "../bin" / name};
    std::error_code ignored;
    for (const fs::path& candidate : candidates) {
        if (fs::exists(candidate, ignored)) {
            return candidate.lexically_normal();
        }
    }
    return candidates.front();
}

fs::path resourceFolder() {
    return installedOrSource("GKS_RESOURCES", "resources", "resources");
}
fs::path promptFolder() {
    return installedOrSource("GKS_PROMPTS", "prompts", "prompts");
}

fs::path cudaHeaderFolder() {
    return installedOrSource("GKS_CUDA_HEADERS", "cuda", "core/target/cuda");
}

fs::path hipcpuFolder() {
    if (fs::path path = fromEnvironment("GKS_HIPCPU"); !path.empty()) {
        return path;
    }
    std::error_code ignored;
    return fs::weakly_canonical(executableFolder() / "../lib/kernel-scientist", ignored);
}

fs::path referenceFolder() {
    return executableFolder() / "../lib/kernel-scientist/references";
}

fs::path evaluatorArchive() {
    const fs::path own = fromEnvironment("GKS_EVALUATOR_ARCHIVE");
    return own.empty() ? executableFolder() / "../lib/kernel-scientist/evaluator.tar.gz" : own;
}

fs::path sharedLockFolder() {
    if (fs::path path = fromEnvironment("GKS_LOCKS"); !path.empty()) {
        return path;
    }
    constexpr auto everybodys = fs::perms::sticky_bit | fs::perms::others_write;
    std::error_code ignored;
    const fs::path folder = "/run/lock";
    return (fs::status(folder, ignored).permissions() & everybodys) == everybodys ? folder : fs::path("/tmp");
}

fs::path cacheFolder() {
    return userFolder("GKS_CACHE", "XDG_CACHE_HOME", ".cache");
}
fs::path dataFolder() {
    return userFolder("GKS_DATA", "XDG_DATA_HOME", ".local/share");
}
fs::path configFolder() {
    return userFolder("GKS_CONFIG", "XDG_CONFIG_HOME", ".config");
}
fs::path stateFolder() {
    return userFolder("GKS_STATE", "XDG_STATE_HOME", ".local/state");
}

} // namespace gks
