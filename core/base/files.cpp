// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"

#include "core/base/file_beside.h"
#include "core/base/regular_file.h"

#include <cerrno>
#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>

namespace gks {

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
