// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace gks {

// A file that somebody else puts there, in whatever way, and the moment when it is whole. That is so when its last line
// is `endLine`; else when it is not empty, has not changed for a while and no program of this machine has it open for
// writing, as far as its file system can tell. A file that was renamed to its name so is taken after that while.
class SettledFile {
public:
    SettledFile(std::filesystem::path path, std::size_t limitBytes, std::string_view endLine,
                std::chrono::milliseconds unchanged);
    // Looks once. The content without the end line; nothing while it is not whole or not there. An error when it is too
    // long or not a regular file; links are not followed.
    Result<std::optional<std::string>> look();

private:
    struct Stamp {
        ino_t inode = 0;
        off_t size = 0;
        std::int64_t changedSeconds = 0;
        std::int64_t changedNanoseconds = 0;
        bool operator==(const Stamp&) const = default;
    };
    static std::optional<Stamp> stampOf(int descriptor);

    std::filesystem::path m_path;
    std::size_t m_limitBytes;
    std::string_view m_endLine;
    std::chrono::milliseconds m_unchanged;
    std::optional<Stamp> m_last;
    std::chrono::steady_clock::time_point m_since;
};

} // namespace gks
