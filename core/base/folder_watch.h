// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace gks {

// A folder into which others put files by whatever means: renamed into place, copied, written piece by piece, over a
// network. Nobody tells when one is whole, so a file counts as settled when it has not changed for a while.
class FolderWatch {
public:
    struct File {
        std::string name;
        bool isRegular = true; // false: a link, which is not followed, or no file at all; folders are left out
        std::uintmax_t bytes = 0;
        std::int64_t modified = 0; // milliseconds since 1970
        bool isSettled = false;
        bool operator==(const File&) const = default;
    };
    // `settle`: zero when whoever writes there renames whole files.
    FolderWatch(std::filesystem::path folder, std::chrono::milliseconds settle);

    // What lies there now, the oldest first. Hidden files and temporary names of writeFileAtomically are left to the
    // caller, who knows which names are meant. An error when the folder is not there or is a link.
    Result<std::vector<File>> look();

private:
    struct Seen {
        File file;
        std::chrono::steady_clock::time_point since;
    };
    std::filesystem::path m_folder;
    std::chrono::milliseconds m_settle;
    std::map<std::string, Seen> m_seen;
};

// A file that somebody put there: regular, no link, bounded.
Result<std::string> readCarriedFile(const std::filesystem::path& path, std::size_t limitBytes);

// That the path is a folder and no link to one.
Result<void> checkRealFolder(const std::filesystem::path& folder);

} // namespace gks
