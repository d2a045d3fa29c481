// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/evaluator/build/build_folder.h"

#include <chrono>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace gks {
namespace {

namespace fs = std::filesystem;
constexpr const char* buildFolderPrefix = "gks-build";
constexpr std::chrono::seconds settled(60);

// -1 when somebody else holds it.
int locked(const fs::path& folder) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor >= 0 && ::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        ::close(descriptor);
        return -1;
    }
    return descriptor;
}

} // namespace

Result<BuildFolder> BuildFolder::create() {
    GKS_TRY_ASSIGN(TemporaryDirectory folder, TemporaryDirectory::create(buildFolderPrefix));
    // Where a file system knows no locks nobody will be able to take this one either.
    const int lock = locked(folder.path());
    return BuildFolder(std::move(folder), lock);
}

BuildFolder::BuildFolder(BuildFolder&& other) noexcept
    : m_folder(std::move(other.m_folder)), m_lock(std::exchange(other.m_lock, -1)) {}

BuildFolder::~BuildFolder() {
    if (m_lock >= 0) {
        ::close(m_lock);
    }
}

void removeAbandonedBuildFolders() {
    std::error_code code;
    const fs::path base = fs::temp_directory_path(code);
    for (auto at = fs::directory_iterator(base, code); !code && at != fs::directory_iterator(); at.increment(code)) {
        std::error_code ignored;
        const std::string name = at->path().filename().string();
        if (!name.starts_with(std::string(buildFolderPrefix) + "-") || at->is_symlink(ignored) ||
            fs::file_time_type::clock::now() - at->last_write_time(ignored) < settled) {
            continue;
        }
        if (const int lock = locked(at->path()); lock >= 0) {
            fs::remove_all(at->path(), ignored);
            ::close(lock);
        }
    }
}

} // namespace gks
