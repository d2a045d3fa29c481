// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/regular_file.h"
#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace gks {

// Text and source files; larger ones are refused rather than read.
inline constexpr std::size_t readLimitBytes = std::size_t{64} << 20;

Result<std::string> readFile(const std::filesystem::path& path, std::size_t limitBytes = readLimitBytes);
// Writes beside the target and renames, so that a full disk or a kill leaves the old content or the new, never half of
// it. What is not a regular file is not replaced.
Result<void> writeFileAtomically(const std::filesystem::path& path, std::string_view content);
Result<void> makeDirectories(const std::filesystem::path& path);

// A directory of its own, mode 0700, removed with everything in it. It is locked for as long as it is used: the first
// of a prefix in a process removes those of that prefix that a killed program has left behind.
class TemporaryDirectory {
public:
    static Result<TemporaryDirectory> create(std::string_view prefix);
    TemporaryDirectory(TemporaryDirectory&& other) noexcept;
    TemporaryDirectory& operator=(TemporaryDirectory&& other) noexcept;
    ~TemporaryDirectory();

    const std::filesystem::path& path() const { return m_path; }

private:
    TemporaryDirectory(std::filesystem::path path, FileDescriptor lock)
        : m_path(std::move(path)), m_lock(std::move(lock)) {}
    std::filesystem::path m_path;
    FileDescriptor m_lock;
};

// Removes the directories of a prefix that nobody holds; those younger than a minute may be about to be locked.
void removeAbandonedDirectories(std::string_view prefix);

} // namespace gks
