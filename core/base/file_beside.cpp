// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file_beside.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gks {

FileBeside::FileBeside(const std::filesystem::path& path)
    : m_name(path.string() + ".XXXXXX"), m_file(::mkostemp(m_name.data(), O_CLOEXEC)), m_made(m_file.number() >= 0) {}

FileBeside::~FileBeside() {
    if (m_made && !m_placed) {
        ::unlink(m_name.c_str());
    }
}

bool FileBeside::write(std::string_view content) {
    if (!m_made) {
        return false;
    }
    while (!content.empty()) {
        const ssize_t put = ::write(m_file.number(), content.data(), content.size());
        if (put >= 0) {
            content.remove_prefix(static_cast<std::size_t>(put));
        } else if (errno != EINTR) {
            return false;
        }
    }
    return ::fchmod(m_file.number(), 0644) == 0 && ::fsync(m_file.number()) == 0;
}

bool FileBeside::replace(const std::filesystem::path& path) {
    m_placed = ::rename(m_name.c_str(), path.c_str()) == 0;
    return m_placed;
}

bool FileBeside::place(const std::filesystem::path& path) {
    m_placed = ::renameat2(AT_FDCWD, m_name.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0;
    // Not every file system can do that. A second name does the same; the first one is removed later.
    return m_placed || ((errno == EINVAL || errno == ENOSYS) && ::link(m_name.c_str(), path.c_str()) == 0);
}

Error cannotWrite(const std::filesystem::path& path, int errorNumber) {
    return {ErrorKind::infrastructure, fmt::format("cannot write: {}", systemMessage(errorNumber)), path.string(),
            errorNumber == ENOSPC ? "Free some disk space and try again" : ""};
}

} // namespace gks
