// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"

#include "core/base/file_beside.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <mutex>
#include <set>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gks {
namespace {

namespace fs = std::filesystem;
constexpr std::chrono::minutes settled(1);
constexpr std::string_view randomCharacters = "XXXXXX"; // which mkdtemp replaces

fs::path temporaryFolder() {
    std::error_code code;
    fs::path folder = fs::temp_directory_path(code);
    return code ? fs::path("/tmp") : folder;
}

// Holds no number when somebody else holds the lock. Where a file system knows no locks nobody can take one.
FileDescriptor lockOf(const fs::path& folder) {
    FileDescriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    return file.number() >= 0 && ::flock(file.number(), LOCK_EX | LOCK_NB) == 0 ? std::move(file) : FileDescriptor(-1);
}

// "gks-build-4711.k3Xq9Z": nobody gives a folder such a name by hand. What has another name, owner or mode is
// somebody's work.
bool isNameOfOurs(std::string_view name, std::string_view prefix) {
    if (!name.starts_with(prefix) || !name.substr(prefix.size()).starts_with('-')) {
        return false;
    }
    const std::string_view rest = name.substr(prefix.size() + 1);
    const std::size_t dot = rest.find('.');
    return dot != std::string_view::npos && dot > 0 && rest.size() == dot + 1 + randomCharacters.size() &&
           rest.substr(0, dot).find_first_not_of("0123456789") == std::string_view::npos;
}

bool isOurs(const FileDescriptor& folder) {
    struct stat is = {};
    return ::fstat(folder.number(), &is) == 0 && is.st_uid == ::geteuid() && (is.st_mode & 0777) == S_IRWXU;
}

bool isFirstOf(std::string_view prefix) {
    static std::mutex mutex;
    static std::set<std::string, std::less<>> seen;
    const std::scoped_lock lock(mutex);
    return seen.emplace(prefix).second;
}

} // namespace

Result<std::string> readFile(const std::filesystem::path& path, std::size_t limitBytes) {
    GKS_TRY_ASSIGN(const FileDescriptor file, openRegularFile(path));
    return readRest(file, path, limitBytes);
}

Result<void> writeFileAtomically(const std::filesystem::path& path, std::string_view content) {
    GKS_TRY(checkReplaceable(path));
    FileBeside beside(path);
    if (!beside.write(content) || !beside.file().close() || !beside.replace(path)) {
        return tl::unexpected(cannotWrite(path, errno));
    }
    return {};
}

Result<void> makeDirectories(const std::filesystem::path& path) {
    std::error_code code;
    std::filesystem::create_directories(path, code);
    if (code) {
        return infrastructureError(fmt::format("cannot create the folder: {}", code.message()), path.string());
    }
    return {};
}

void removeAbandonedDirectories(std::string_view prefix) {
    std::error_code code;
    for (fs::directory_iterator at(temporaryFolder(), code), end; !code && at != end; at.increment(code)) {
        std::error_code ignored;
        if (!isNameOfOurs(at->path().filename().string(), prefix) ||
            fs::file_time_type::clock::now() - at->last_write_time(ignored) < settled) {
            continue;
        }
        if (const FileDescriptor lock = lockOf(at->path()); lock.number() >= 0 && isOurs(lock)) {
            fs::remove_all(at->path(), ignored);
        }
    }
}

Result<TemporaryDirectory> TemporaryDirectory::create(std::string_view prefix) {
    if (isFirstOf(prefix)) {
        removeAbandonedDirectories(prefix);
    }
    std::string pattern = (temporaryFolder() / fmt::format("{}-{}.{}", prefix, ::getpid(), randomCharacters)).string();
    if (::mkdtemp(pattern.data()) == nullptr) {
        return infrastructureError(fmt::format("cannot create a temporary folder: {}", systemMessage(errno)), pattern,
                                   "Set TMPDIR to a writable folder");
    }
    return TemporaryDirectory(pattern, lockOf(pattern));
}

TemporaryDirectory::TemporaryDirectory(TemporaryDirectory&& other) noexcept
    : m_path(std::exchange(other.m_path, {})), m_lock(std::move(other.m_lock)) {}

TemporaryDirectory& TemporaryDirectory::operator=(TemporaryDirectory&& other) noexcept {
    std::swap(m_path, other.m_path);
    std::swap(m_lock, other.m_lock);
    return *this;
}

TemporaryDirectory::~TemporaryDirectory() {
    if (!m_path.empty()) {
        std::error_code ignored;
        fs::remove_all(m_path, ignored);
    }
}

} // namespace gks
