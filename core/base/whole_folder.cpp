// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/whole_folder.h"

#include "core/base/files.h"

#include <fmt/format.h>
#include <unistd.h>
#include <vector>

namespace gks {
namespace {

namespace fs = std::filesystem;

// Removed with what is in it, unless it has become something else.
class StagedFolder {
public:
    explicit StagedFolder(fs::path path) : m_path(std::move(path)) {}
    StagedFolder(const StagedFolder&) = delete;
    StagedFolder& operator=(const StagedFolder&) = delete;
    ~StagedFolder() {
        std::error_code ignored;
        fs::remove_all(m_path, ignored);
    }
    const fs::path& path() const { return m_path; }

private:
    fs::path m_path;
};

// A folder that is there stays the same one, since a shell may stand in it: what was staged moves up into it.
Result<void> moveUp(const fs::path& staged, const fs::path& folder) {
    std::error_code code;
    std::vector<fs::path> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(staged, code)) {
        names.push_back(entry.path().filename());
    }
    for (const fs::path& name : names) {
        fs::rename(staged / name, folder / name, code);
        if (code) {
            return infrastructureError(fmt::format("cannot be filled: {}", code.message()), folder.string());
        }
    }
    return {};
}

} // namespace

Result<void> writeFolderAtomically(const fs::path& folder, const std::map<std::string, std::string>& files,
                                   const std::function<Result<void>(const fs::path&)>& check) {
    if (folder.empty()) {
        return usageError("no folder is named", {}, "Name a new or empty folder");
    }
    std::error_code code;
    fs::path whole = fs::weakly_canonical(fs::absolute(folder, code), code); // of "pack" alone it would stay so
    if (whole.has_relative_path() && whole.filename().empty()) {             // "pack/", which is not there yet
        whole = whole.parent_path();
    }
    const bool isThere = fs::exists(whole, code);
    if (isThere && !fs::is_directory(whole, code)) {
        return usageError("is no folder", folder.string(), "Choose a new or empty folder");
    }
    if (whole.empty() || (isThere && !fs::is_empty(whole, code))) {
        return usageError("folder not empty", folder.string(), "Choose a new or empty folder");
    }
    const fs::path place = isThere ? whole : whole.parent_path();
    GKS_TRY(makeDirectories(place));
    const StagedFolder staged(place / fmt::format(".{}-{}.part", whole.filename().string(), ::getpid()));
    if (!fs::create_directory(staged.path(), code)) {
        return infrastructureError(
            fmt::format("cannot create the folder: {}", code ? code.message() : "it is there already"), folder.string(),
            "Choose a place that you may write to");
    }
    for (const auto& [path, content] : files) {
        GKS_TRY(makeDirectories((staged.path() / path).parent_path()));
        GKS_TRY(writeFileAtomically(staged.path() / path, content));
    }
    if (check) {
        GKS_TRY(check(staged.path()));
    }
    if (isThere) {
        return moveUp(staged.path(), whole);
    }
    fs::rename(staged.path(), whole, code);
    return code ? Result<void>(
                      infrastructureError(fmt::format("cannot create the folder: {}", code.message()), folder.string()))
                : Result<void>();
}

} // namespace gks
