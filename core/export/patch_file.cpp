// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/patch_file.h"

#include "core/base/files.h"
#include "core/base/process.h"
#include "core/base/text.h"

#include <fmt/format.h>

namespace gks {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t patchLimitBytes = std::size_t{16} << 20;

// Without anybody's settings: no hooks, no filters, no templates.
Result<std::string> git(const std::vector<std::string>& words, const fs::path& folder, const std::string& input = {}) {
    Command command;
    command.arguments = {
        "git", "-c", "core.hooksPath=/dev/null", "-c", "core.autocrlf=false", "-c", "core.fsmonitor=false"};
    command.arguments.insert(command.arguments.end(), words.begin(), words.end());
    command.folder = folder;
    const char* const path = std::getenv("PATH");
    command.environment = {{{"PATH", path != nullptr ? path : "/usr/bin:/bin"},
                            {"LC_ALL", "C.UTF-8"},
                            {"GIT_CONFIG_NOSYSTEM", "1"},
                            {"GIT_CONFIG_GLOBAL", "/dev/null"},
                            {"GIT_TERMINAL_PROMPT", "0"}}};
    RunOptions options;
    options.outputLimitBytes = patchLimitBytes;
    options.input = input;
    GKS_TRY_ASSIGN(const CompletedProcess run, runProcess(command, options));
    if (!run.ok() || run.outputTruncated) {
        return infrastructureError(
            fmt::format("git {} failed: {}", words.front(), abbreviated(trimmed(run.error), 400)), folder.string(),
            "Install git, and see whether the tree takes the files");
    }
    return run.output;
}

// Below another tree git takes a folder for a part of that one, and applies nothing in it.
Result<void> makeTree(const fs::path& folder) {
    GKS_TRY(git({"init", "--quiet", "--template="}, folder));
    return {};
}

Result<fs::path> plainPath(const std::string& below) {
    const fs::path path = fs::path(below).lexically_normal();
    bool isPlain = !below.empty() && path.is_relative();
    for (const fs::path& part : path) {
        isPlain = isPlain && part != ".." && part != ".git";
    }
    return isPlain ? Result<fs::path>(path)
                   : usageError("must be a path below the tree, without \"..\"", "--path " + below,
                                "Name a folder of the tree");
}

} // namespace

Result<std::string> patchFor(const BundleFiles& files, const fs::path& tree, const std::string& below) {
    GKS_TRY_ASSIGN(const fs::path path, plainPath(below));
    std::error_code code;
    if (!fs::is_directory(tree, code)) {
        return usageError("is no folder", tree.string(), "Name the tree that the patch is for");
    }
    GKS_TRY_ASSIGN(const TemporaryDirectory place, TemporaryDirectory::create("gks-patch"));
    for (fs::path part = path; !part.empty() && part != part.parent_path(); part = part.parent_path()) {
        const fs::path there = tree / part;
        if (fs::exists(fs::symlink_status(there, code)) && !fs::is_directory(there, code)) {
            return usageError("is no folder", there.string(), "Choose another --path");
        }
    }
    for (const auto& [name, content] : files) {
        if (fs::exists(tree / path / name, code)) {
            return usageError("is there already", (tree / path / name).string(), "Choose another --path");
        }
        const fs::path file = place.path() / path / name;
        GKS_TRY(makeDirectories(file.parent_path()));
        GKS_TRY(writeFileAtomically(file, content));
    }
    GKS_TRY(makeTree(place.path()));
    GKS_TRY(git({"add", "--force", "--all", "."}, place.path()));
    GKS_TRY_ASSIGN(const std::string patch,
                   git({"diff", "--cached", "--no-color", "--no-ext-diff", "--no-renames"}, place.path()));
    if (fs::exists(tree / ".git", code)) {
        GKS_TRY(git({"apply", "--check", "-"}, tree, patch));
    }
    return patch;
}

Result<void> applyPatch(const fs::path& patch, const fs::path& folder) {
    GKS_TRY(makeDirectories(folder));
    GKS_TRY(makeTree(folder));
    GKS_TRY(git({"apply", patch.string()}, folder));
    return {};
}

} // namespace gks
