// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/campaign/inode_locks.h"

#include <filesystem>
#include <optional>

namespace gks {

// Who may write to a campaign: one at a time, whatever name the file is given (symbolic link, hard link), for all users
// and on every machine that shares it. It is a lock on the file itself, on a byte that SQLite does not use
// (inode_locks.h), so no second file lies beside the campaign and the kernel frees it when the process dies, however it
// dies. Beside it stands a record of who holds it, for people (running.h).
class FileLock {
public:
    // nullopt: the file or its folder cannot be written, so neither can anybody else from here. Error: somebody else
    // has it, with who (isInUse).
    static Result<std::optional<FileLock>> take(const std::filesystem::path& campaign);
    // Whether somebody has it right now.
    static bool isHeld(const std::filesystem::path& campaign);
    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&& other) noexcept;
    ~FileLock();

private:
    explicit FileLock(FileIdentity identity) : m_identity(identity) {}
    std::optional<FileIdentity> m_identity;
};

// Whether somebody had the campaign when it was asked for; he may have given it back since.
bool isInUse(const Error& error);

} // namespace gks
