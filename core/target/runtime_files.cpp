// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/runtime_files.h"

#include "core/base/process.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds loaderTimeout(20);
constexpr std::array amdFolders = {"/opt/rocm", "/opt/amdgpu"};

// Seen in every sandbox.
bool isOfSystem(const fs::path& path) {
    const fs::path first = path.has_relative_path() ? *path.relative_path().begin() : fs::path();
    return first == "usr" || first == "lib" || first == "lib64" || first == "bin";
}

// "/opt/rocm-6.4.3" of "/opt/rocm-6.4.3/lib/libamdhip64.so.6.4", but not somebody's home of a library in ~/lib.
fs::path installationOf(const fs::path& library) {
    const fs::path folder = library.parent_path();
    std::error_code ignored;
    return fs::exists(folder.parent_path() / ".info/version", ignored) ? folder.parent_path() : folder;
}

} // namespace

std::vector<fs::path> neededLibraries(const fs::path& file) {
    Command command;
    command.arguments = {"ldd", file.string()};
    RunOptions options;
    options.timeout = loaderTimeout;
    const auto run = runProcess(command, options);
    std::vector<fs::path> libraries;
    for (const std::string_view line : lines(run ? std::string_view(run->output) : std::string_view())) {
        const std::size_t arrow = line.find("=> /");
        if (arrow != std::string_view::npos) { // "libdrm.so.2 => /opt/amdgpu/lib/libdrm.so.2 (0x00007f...)"
            const std::string_view rest = line.substr(arrow + 3);
            libraries.emplace_back(rest.substr(0, rest.rfind(" (")));
        }
    }
    return libraries;
}

std::vector<fs::path> runtimeFiles(const fs::path& library) {
    std::vector<fs::path> found;
    const auto add = [&](const fs::path& path) {
        std::error_code ignored;
        if (!isOfSystem(path) && fs::exists(path, ignored) &&
            std::find(found.begin(), found.end(), path) == found.end()) {
            found.push_back(path);
        }
    };
    add(installationOf(library));
    for (const fs::path& needed : neededLibraries(library)) {
        add(needed.parent_path().lexically_normal());
    }
    std::for_each(amdFolders.begin(), amdFolders.end(), add);
    return found;
}

} // namespace gks
