// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/target/anchor_build.h"

#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/target/cuda_build.h"
#include "core/target/rocm_build.h"
#include "core/target/toolchain.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <set>

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr int anchorPlanVersion = 1; // raise it when a command changes in a way that its arguments do not show
constexpr const char* amdRuntimeLibrary = "amdhip64";

// "libX.so", or what a package without files for developers has: "libX.so.13".
std::optional<fs::path> libraryIn(const fs::path& folder, const std::string& name) {
    const std::string plain = fmt::format("lib{}.so", name);
    if (isThere(folder / plain)) {
        return folder / plain;
    }
    std::optional<fs::path> shortest;
    std::error_code ignored;
    for (fs::directory_iterator at(folder, ignored), end; !ignored && at != end; at.increment(ignored)) {
        const std::string file = at->path().filename().string();
        const bool isNumbered =
            file.starts_with(plain + ".") && file.find_first_not_of("0123456789.", plain.size()) == std::string::npos;
        if (isNumbered && (!shortest || file.size() < shortest->filename().string().size())) {
            shortest = at->path();
        }
    }
    return shortest;
}

std::vector<std::string> linkingOf(const AnchorLibraries& libraries, bool isNvcc) {
    std::vector<std::string> words;
    const auto toLinker = [&](const std::string& word) {
        if (isNvcc) {
            words.insert(words.end(), {"-Xlinker", word});
        } else {
            words.push_back("-Wl," + word);
        }
    };
    for (const fs::path& folder : libraries.folders()) {
        words.push_back("-L" + folder.string());
        toLinker("-rpath=" + folder.string());
        if (const fs::path headers = folder.parent_path() / "include"; isThere(headers)) {
            words.push_back("-I" + headers.string());
        }
    }
    for (const fs::path& file : libraries.files) {
        const std::string name = file.filename().string();
        if (name.ends_with(".so")) {
            words.push_back("-l" + name.substr(3, name.size() - 6));
        } else {
            toLinker("-l:" + name);
        }
    }
    return words;
}

// What lies below /usr is seen behind the wall anyway.
std::vector<fs::path> beyondUsr(const AnchorLibraries& libraries) {
    std::set<fs::path> paths;
    const auto add = [&](const fs::path& path) {
        if (isThere(path) && !path.string().starts_with("/usr/")) {
            paths.insert(path);
        }
    };
    for (const fs::path& file : libraries.files) {
        std::error_code ignored;
        add(file.parent_path());
        add(file.parent_path().parent_path() / "include");
        add(fs::canonical(file, ignored).parent_path());
    }
    return {paths.begin(), paths.end()};
}

Result<BuildStep> anchorStep(const BuildRequest& request, const AnchorSpec& anchor, const AnchorLibraries& libraries,
                             const fs::path& output) {
    if (request.target.kind == TargetKind::nvidia) {
        return cudaAnchorStep(request, anchor.source, linkingOf(libraries, true), output);
    }
    GKS_TRY_ASSIGN(const DeviceCompiler compiler, amdModuleCompiler(request.target.architecture));
    AnchorLibraries all = libraries;
    AnchorSpec runtime = anchor;
    runtime.libraries = {amdRuntimeLibrary};
    GKS_TRY_ASSIGN(const AnchorLibraries own, findAnchorLibraries(runtime));
    all.files.insert(all.files.end(), own.files.begin(), own.files.end());
    const fs::path source = request.folder / "kernel.hip";
    GKS_TRY(writeFileAtomically(source, fmt::format("#line 1 \"{}\"\n{}", anchor.source, request.source)));
    return amdAnchorStep(compiler, request, source, linkingOf(all, false), output);
}

} // namespace

std::vector<fs::path> AnchorLibraries::folders() const {
    std::vector<fs::path> folders;
    for (const fs::path& file : files) {
        if (std::find(folders.begin(), folders.end(), file.parent_path()) == folders.end()) {
            folders.push_back(file.parent_path());
        }
    }
    return folders;
}

std::vector<fs::path> anchorLibraryFolders(TargetKind target) {
    std::vector<fs::path> folders;
    const Toolchain& tools = toolchain();
    const auto addBelow = [&](const fs::path& root) {
        for (const char* const folder : {"lib64", "lib", "targets/x86_64-linux/lib"}) {
            folders.push_back(root / folder);
        }
    };
    if (target == TargetKind::nvidia && tools.cuda) {
        addBelow(tools.cuda->root);
    } else if (target == TargetKind::amd && tools.rocm) {
        addBelow(tools.rocm->root);
    }
    if (const char* const named = std::getenv("LD_LIBRARY_PATH")) { // the loader's, so where programs find them too
        for (const std::string& folder : split(named, ':')) {
            if (folder.starts_with("/")) {
                folders.emplace_back(folder);
            }
        }
    }
    for (const char* const folder : {"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib"}) {
        folders.emplace_back(folder);
    }
    std::erase_if(folders, [](const fs::path& folder) { return !isThere(folder); });
    return folders;
}

Result<AnchorLibraries> findAnchorLibraries(const AnchorSpec& anchor) {
    GKS_TRY_ASSIGN(const TargetKind target, targetFromName(anchor.target));
    return findAnchorLibraries(anchor, anchorLibraryFolders(target));
}

Result<AnchorLibraries> findAnchorLibraries(const AnchorSpec& anchor, const std::vector<fs::path>& folders) {
    AnchorLibraries found;
    for (const std::string& name : anchor.libraries) {
        std::optional<fs::path> file;
        for (auto folder = folders.begin(); !file && folder != folders.end(); ++folder) {
            file = libraryIn(*folder, name);
        }
        if (!file) {
            return infrastructureError(fmt::format("lib{}.so is not installed here", name),
                                       fmt::format("anchor {}", anchor.name),
                                       "Install it beside the target's toolkit, or name its folder in LD_LIBRARY_PATH");
        }
        found.files.push_back(std::move(*file));
    }
    return found;
}

Result<AnchorBuild> planAnchorBuild(const BuildRequest& request, const AnchorSpec& anchor) {
    GKS_TRY_ASSIGN(const AnchorLibraries libraries, findAnchorLibraries(anchor));
    AnchorBuild build;
    build.output = request.folder / "anchor.so";
    GKS_TRY_ASSIGN(build.step, anchorStep(request, anchor, libraries, build.output));
    if (request.target.fp8Encoding() == Fp8Encoding::ocp) {
        build.step.arguments.emplace_back("-DGKS_FP8_OCP=1");
    }
    GKS_TRY(writeFileAtomically(request.folder / "problem.h", request.header));
    build.readable = beyondUsr(libraries);
    build.step.readable.insert(build.step.readable.end(), build.readable.begin(), build.readable.end());
    const std::string arguments = replaceAll(join(build.step.arguments, "\n"), request.folder.string(), ".");
    const Toolchain& tools = toolchain();
    const bool isCuda = request.target.kind == TargetKind::nvidia;
    build.toolchain = isCuda && tools.cuda ? "CUDA " + tools.cuda->version
                      : tools.rocm         ? tools.rocm->description()
                                           : tools.clangFacts.version;
    build.key =
        sha256Hex(fmt::format("{}\n{}\n{} {}\n{}\n{}\n{}", anchorPlanVersion, arguments,
                              tools.cuda ? tools.cuda->identity : "", tools.rocm ? tools.rocm->identity() : "",
                              tools.cudaHeadersFingerprint, sha256Hex(request.header), sha256Hex(request.source)));
    return build;
}

} // namespace gks
