// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/regular_file.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace gks {

// A file under another name beside its place, until it is whole; removed when it was not put there. What returns false
// leaves the reason in errno.
class FileBeside {
public:
    explicit FileBeside(const std::filesystem::path& path);
    FileBeside(const FileBeside&) = delete;
    FileBeside& operator=(const FileBeside&) = delete;
    ~FileBeside();

    FileDescriptor& file() { return m_file; }
    bool write(std::string_view content); // until it lies on the disk
    bool replace(const std::filesystem::path& path);
    bool place(const std::filesystem::path& path); // EEXIST when something has this name

private:
    std::string m_name;
    FileDescriptor m_file;
    bool m_made = false;
    bool m_placed = false;
};

// The error that belongs to errno.
Error cannotWrite(const std::filesystem::path& path, int errorNumber);

} // namespace gks
