// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace gks {

// "a folder", "a named pipe", "a device", "a socket"; empty for a regular file.
std::string_view specialKind(mode_t mode);
// The kind of the file at `path`; empty also when there is no such file.
std::string specialFile(const std::filesystem::path& path);

class FileDescriptor {
public:
    explicit FileDescriptor(int number) : m_number(number) {}
    FileDescriptor(FileDescriptor&& other) noexcept;
    FileDescriptor& operator=(FileDescriptor&& other) noexcept;
    ~FileDescriptor() { close(); }
    int number() const { return m_number; }
    bool close();

private:
    int m_number;
};

// Whether a file may be put there: nothing is there yet, or a regular file.
Result<void> checkReplaceable(const std::filesystem::path& path);

enum class Links { followed, refused };
// Opens a regular file for reading. Whatever else the path names is refused at once and never waited for: who names a
// pipe without a writer, a terminal or a folder reads why.
Result<FileDescriptor> openRegularFile(const std::filesystem::path& path, Links links = Links::followed);
// What is left to read of an open one; `path` is its name in errors.
Result<std::string> readRest(const FileDescriptor& file, const std::filesystem::path& path, std::size_t limitBytes);

} // namespace gks
