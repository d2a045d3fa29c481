// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <system_error>

namespace gks {

// Asked after a compiler failed: it has removed what it could not finish, so that a little is free again. Its own words
// tell nothing of the disk: a source may have told it to print them.
inline bool isDiskFull(const std::filesystem::path& folder) {
    constexpr std::uintmax_t fullDiskBytes = std::uintmax_t{8} << 20;
    std::error_code code;
    const std::filesystem::space_info space = std::filesystem::space(folder, code);
    return !code && space.available < fullDiskBytes;
}

} // namespace gks
