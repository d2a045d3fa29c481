// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/folder_watch.h"

#include "core/base/regular_file.h"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <sys/stat.h>

namespace gks {

Result<void> checkRealFolder(const std::filesystem::path& folder) {
    struct stat status = {};
    if (::lstat(folder.c_str(), &status) != 0) {
        return infrastructureError(fmt::format("cannot read the folder: {}", systemMessage(errno)), folder.string());
    }
    if (S_ISLNK(status.st_mode)) {
        return usageError("is a symbolic link, which is not followed", folder.string(), "Make it a folder");
    }
    if (!S_ISDIR(status.st_mode)) {
        return usageError("is no folder", folder.string());
    }
    return {};
}

Result<std::string> readCarriedFile(const std::filesystem::path& path, std::size_t limitBytes) {
    GKS_TRY_ASSIGN(const FileDescriptor file, openRegularFile(path, Links::refused));
    return readRest(file, path, limitBytes);
}

FolderWatch::FolderWatch(std::filesystem::path folder, std::chrono::milliseconds settle)
    : m_folder(std::move(folder)), m_settle(settle) {}

Result<std::vector<FolderWatch::File>> FolderWatch::look() {
    GKS_TRY(checkRealFolder(m_folder));
    const auto now = std::chrono::steady_clock::now();
    std::vector<File> files;
    std::map<std::string, Seen> seen;
    std::error_code code;
    for (std::filesystem::directory_iterator at(m_folder, code), end; !code && at != end; at.increment(code)) {
        struct stat status = {};
        if (::lstat(at->path().c_str(), &status) != 0 || S_ISDIR(status.st_mode)) {
            continue; // gone meanwhile
        }
        File file;
        file.name = at->path().filename().string();
        file.isRegular = S_ISREG(status.st_mode);
        file.bytes = static_cast<std::uintmax_t>(status.st_size);
        file.modified = std::int64_t{status.st_mtim.tv_sec} * 1000 + status.st_mtim.tv_nsec / 1'000'000;
        const auto before = m_seen.find(file.name);
        const auto since = before != m_seen.end() && before->second.file == file ? before->second.since : now;
        seen[file.name] = {file, since};
        file.isSettled = now - since >= m_settle;
        files.push_back(std::move(file));
    }
    if (code) {
        return infrastructureError(fmt::format("cannot read the folder: {}", code.message()), m_folder.string());
    }
    m_seen = std::move(seen);
    std::sort(files.begin(), files.end(), [](const File& a, const File& b) {
        return std::pair(a.modified, a.name) < std::pair(b.modified, b.name);
    });
    return files;
}

} // namespace gks
