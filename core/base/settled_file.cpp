// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/settled_file.h"

#include "core/base/quantity.h"
#include "core/base/regular_file.h"
#include "core/base/text.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

namespace gks {
namespace {

bool isThere(const std::filesystem::path& path) {
    struct stat status = {};
    return ::lstat(path.c_str(), &status) == 0;
}

// A read lease is refused while anybody writes. File systems without leases, and files of other users, say nothing.
bool isOpenForWriting(int descriptor) {
    ::fcntl(descriptor, F_SETSIG, SIGURG); // who begins to write meanwhile sends it: one that does nothing by itself
    if (::fcntl(descriptor, F_SETLEASE, F_RDLCK) != 0) {
        return errno == EAGAIN;
    }
    ::fcntl(descriptor, F_SETLEASE, F_UNLCK);
    return false;
}

} // namespace

SettledFile::SettledFile(std::filesystem::path path, std::size_t limitBytes, std::string_view endLine,
                         std::chrono::milliseconds unchanged)
    : m_path(std::move(path)), m_limitBytes(limitBytes), m_endLine(endLine), m_unchanged(unchanged) {}

std::optional<SettledFile::Stamp> SettledFile::stampOf(int descriptor) {
    struct stat status = {};
    if (::fstat(descriptor, &status) != 0) {
        return std::nullopt;
    }
    return Stamp{status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

Result<std::optional<std::string>> SettledFile::look() {
    const auto file = openRegularFile(m_path, Links::refused);
    if (!file) {
        return isThere(m_path) ? Result<std::optional<std::string>>(tl::unexpected(file.error())) : std::nullopt;
    }
    const auto stamp = stampOf(file->number());
    if (!stamp || stamp->size == 0) {
        m_last.reset();
        return std::nullopt;
    }
    const auto now = std::chrono::steady_clock::now();
    const bool isNew = m_last != stamp;
    if (isNew) {
        m_last = stamp;
        m_since = now;
    }
    const bool settled = now - m_since >= m_unchanged && !isOpenForWriting(file->number());
    if (!isNew && !settled) {
        return std::nullopt;
    }
    GKS_TRY_ASSIGN(std::string content, readRest(*file, m_path, m_limitBytes));
    const std::string_view text = trimmed(content);
    if (!m_endLine.empty() && text.ends_with(m_endLine)) {
        const std::size_t before =
            static_cast<std::size_t>(text.data() - content.data()) + text.size() - m_endLine.size();
        if (before == 0 || content[before - 1] == '\n') {
            content.resize(before);
            return content;
        }
    }
    if (!settled || stampOf(file->number()) != stamp || text.empty()) {
        return std::nullopt;
    }
    return content;
}

} // namespace gks
