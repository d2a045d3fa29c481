// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/file_lock.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace gks {
namespace {

std::filesystem::path lockPath(std::filesystem::path campaign) {
    campaign += "-lock";
    return campaign;
}

std::string holder(int descriptor) {
    std::array<char, 256> text{};
    const ssize_t got = ::pread(descriptor, text.data(), text.size(), 0);
    return got > 0 ? std::string(text.data(), static_cast<std::size_t>(got)) : "another process";
}

void writeHolder(int descriptor) {
    std::array<char, 128> host{};
    ::gethostname(host.data(), host.size() - 1);
    const std::string text = fmt::format("process {} on {}", ::getpid(), host.data());
    // For people only: a lock without its text still locks.
    if (::ftruncate(descriptor, 0) == 0) {
        [[maybe_unused]] const ssize_t put = ::pwrite(descriptor, text.data(), text.size(), 0);
    }
}

// The last holder removes the file; whoever locked the removed one must look again.
bool isStillThere(const std::filesystem::path& path, int descriptor) {
    struct stat opened = {};
    struct stat named = {};
    return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
           opened.st_dev == named.st_dev;
}

} // namespace

FileLock::FileLock(std::filesystem::path path, int descriptor) : m_path(std::move(path)), m_descriptor(descriptor) {}
FileLock::FileLock(FileLock&& other) noexcept
    : m_path(std::move(other.m_path)), m_descriptor(std::exchange(other.m_descriptor, -1)) {}
FileLock& FileLock::operator=(FileLock&& other) noexcept {
    std::swap(m_path, other.m_path);
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}
FileLock::~FileLock() {
    if (m_descriptor >= 0) {
        ::unlink(m_path.c_str());
        ::close(m_descriptor);
    }
}

bool FileLock::isHeld(const std::filesystem::path& campaign) {
    const int descriptor = ::open(lockPath(campaign).c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return false;
    }
    const bool held = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(descriptor);
    return held;
}

Result<std::optional<FileLock>> FileLock::take(const std::filesystem::path& campaign) {
    const std::filesystem::path path = lockPath(campaign);
    for (;;) {
        const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
        if (descriptor < 0) {
            if (errno == EACCES || errno == EROFS || errno == EPERM) {
                return std::optional<FileLock>();
            }
            return infrastructureError(fmt::format("cannot create the lock file: {}", systemMessage(errno)),
                                       path.string());
        }
        if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
            const int error = errno;
            const std::string who = holder(descriptor);
            ::close(descriptor);
            if (error != EWOULDBLOCK) {
                return infrastructureError(fmt::format("cannot lock: {}", systemMessage(error)), path.string());
            }
            return infrastructureError(fmt::format("in use by {}", who), campaign.string(),
                                       "Close it there first: one program at a time may run a campaign");
        }
        if (isStillThere(path, descriptor)) {
            writeHolder(descriptor);
            return std::optional(FileLock(path, descriptor));
        }
        ::close(descriptor);
    }
}

} // namespace gks
