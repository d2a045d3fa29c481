// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/regular_file.h"

#include "core/base/quantity.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace gks {
namespace {

constexpr const char* nextAfterSpecial = "Save its content as a file of its own and give that";

} // namespace

std::string_view specialKind(mode_t mode) {
    return S_ISDIR(mode)    ? "a folder"
           : S_ISFIFO(mode) ? "a named pipe"
           : S_ISSOCK(mode) ? "a socket"
           : S_ISREG(mode)  ? ""
                            : "a device";
}

std::string specialFile(const std::filesystem::path& path) {
    struct stat status = {};
    return ::stat(path.c_str(), &status) == 0 ? std::string(specialKind(status.st_mode)) : std::string();
}

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept : m_number(std::exchange(other.m_number, -1)) {}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
    std::swap(m_number, other.m_number);
    return *this;
}

bool FileDescriptor::close() {
    const int number = std::exchange(m_number, -1);
    return number < 0 || ::close(number) == 0;
}

Result<void> checkReplaceable(const std::filesystem::path& path) {
    if (const std::string kind = specialFile(path); !kind.empty()) {
        return usageError(fmt::format("is {}, a regular file or a new name is needed", kind), path.string());
    }
    return {};
}

Result<FileDescriptor> openRegularFile(const std::filesystem::path& path, Links links) {
    // Without O_NONBLOCK a pipe waits for its other end, without O_NOCTTY a terminal becomes ours.
    const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (links == Links::refused ? O_NOFOLLOW : 0);
    FileDescriptor file(::open(path.c_str(), flags));
    if (file.number() < 0) {
        const int error = errno;
        if (error == ELOOP && links == Links::refused) {
            return usageError("is a symbolic link", path.string(), "Use the file it points to");
        }
        if (const std::string kind = specialFile(path); error == ENXIO && !kind.empty()) {
            return usageError(fmt::format("is {}, a regular file is needed", kind), path.string(), nextAfterSpecial);
        }
        return usageError(fmt::format("cannot read: {}", systemMessage(error)), path.string());
    }
    struct stat status = {};
    if (::fstat(file.number(), &status) != 0) {
        return infrastructureError(fmt::format("cannot read: {}", systemMessage(errno)), path.string());
    }
    if (const std::string_view kind = specialKind(status.st_mode); !kind.empty()) {
        return usageError(fmt::format("is {}, a regular file is needed", kind), path.string(),
                          S_ISDIR(status.st_mode) ? "Give a file in it" : nextAfterSpecial);
    }
    return file;
}

Result<std::string> readRest(const FileDescriptor& file, const std::filesystem::path& path, std::size_t limitBytes) {
    std::string content;
    std::string chunk(std::size_t{1} << 16, '\0');
    for (;;) {
        const ssize_t got = ::read(file.number(), chunk.data(), chunk.size());
        if (got == 0) {
            return content;
        }
        if (got < 0) {
            if (errno == EINTR) {
                continue;
            }
            return infrastructureError(fmt::format("cannot read: {}", systemMessage(errno)), path.string());
        }
        content.append(chunk.data(), static_cast<std::size_t>(got));
        if (content.size() > limitBytes) {
            return usageError(fmt::format("too large (limit {})", formatBytes(limitBytes)), path.string());
        }
    }
}

} // namespace gks
