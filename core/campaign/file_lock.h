// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <optional>

namespace gks {

// Who may write to a campaign. A file beside it (FILE.gks-lock) is held with flock for as long as this value lives, so
// it is freed by the kernel when the process dies, however it dies. Not a lock on the campaign itself: closing any
// descriptor of a file drops all of a process's POSIX locks on it, and SQLite relies on those.
class FileLock {
public:
    // nullopt: the folder cannot be written, so neither can anybody else from here. Error: somebody else has it, with
    // who.
    static Result<std::optional<FileLock>> take(const std::filesystem::path& campaign);
    // Whether somebody has it right now.
    static bool isHeld(const std::filesystem::path& campaign);
    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&& other) noexcept;
    ~FileLock();

private:
    FileLock(std::filesystem::path path, int descriptor);
    std::filesystem::path m_path;
    int m_descriptor = -1;
};

} // namespace gks
