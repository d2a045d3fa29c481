// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"

#include "core/base/quantity.h"
#include "core/base/regular_file.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/std.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gks {

Result<std::string> readFile(const std::filesystem::path& path, std::size_t limitBytes) {
    GKS_TRY_ASSIGN(const FileDescriptor file, openRegularFile(path));
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

Result<void> writeFileAtomically(const std::filesystem::path& path, std::string_view content) {
    const auto failed = [&](int errorNumber) {
        return infrastructureError(fmt::format("cannot write: {}", systemMessage(errorNumber)), path.string(),
                                   errorNumber == ENOSPC ? "Free some disk space and try again" : "");
    };
    GKS_TRY(checkReplaceable(path));
    std::string beside = path.string() + ".XXXXXX";
    FileDescriptor file(::mkostemp(beside.data(), O_CLOEXEC));
    if (file.number() < 0) {
        return failed(errno);
    }
    int error = 0;
    for (std::string_view rest = content; !rest.empty() && error == 0;) {
        const ssize_t put = ::write(file.number(), rest.data(), rest.size());
        if (put >= 0) {
            rest.remove_prefix(static_cast<std::size_t>(put));
        } else if (errno != EINTR) {
            error = errno;
        }
    }
    if (error == 0 && (::fchmod(file.number(), 0644) != 0 || ::fsync(file.number()) != 0 || !file.close() ||
                       ::rename(beside.c_str(), path.c_str()) != 0)) {
        error = errno;
    }
    if (error != 0) {
        ::unlink(beside.c_str());
        return failed(error);
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

Result<TemporaryDirectory> TemporaryDirectory::create(std::string_view prefix) {
    std::error_code code;
    const std::filesystem::path base = std::filesystem::temp_directory_path(code);
    std::string pattern = ((code ? std::filesystem::path("/tmp") : base) / fmt::format("{}-XXXXXX", prefix)).string();
    if (::mkdtemp(pattern.data()) == nullptr) {
        return infrastructureError(fmt::format("cannot create a temporary folder: {}", systemMessage(errno)), pattern,
                                   "Set TMPDIR to a writable folder");
    }
    return TemporaryDirectory(pattern);
}

TemporaryDirectory::TemporaryDirectory(TemporaryDirectory&& other) noexcept : m_path(std::exchange(other.m_path, {})) {}

TemporaryDirectory& TemporaryDirectory::operator=(TemporaryDirectory&& other) noexcept {
    std::swap(m_path, other.m_path);
    return *this;
}

TemporaryDirectory::~TemporaryDirectory() {
    if (!m_path.empty()) {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
}

} // namespace gks
