// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/confine/landlock.h"

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace gks {
namespace {

// Rights that came after the headers of Debian 12, by the version of the interface that brought them.
constexpr std::uint64_t truncateRight = 1ULL << 14;    // 3
constexpr std::uint64_t deviceIoctlRight = 1ULL << 15; // 5
constexpr std::uint64_t tcpBindAndConnect = 3;         // 4
constexpr std::uint64_t scopeSocketsAndSignals = 3;    // 6

struct RulesetAttributes {
    std::uint64_t handledFiles = 0;
    std::uint64_t handledNetwork = 0;
    std::uint64_t scoped = 0;
};

constexpr std::uint64_t readRights =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
// All that can be asked of something that is not a folder.
constexpr std::uint64_t fileRights = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |
                                     LANDLOCK_ACCESS_FS_WRITE_FILE | truncateRight | deviceIoctlRight;

std::uint64_t handledFiles(long version) {
    std::uint64_t rights = (1ULL << 13) - 1;
    rights |= version >= 2 ? LANDLOCK_ACCESS_FS_REFER : 0;
    rights |= version >= 3 ? truncateRight : 0;
    rights |= version >= 5 ? deviceIoctlRight : 0;
    return rights;
}

RulesetAttributes attributes(long version) {
    return {handledFiles(version), version >= 4 ? tcpBindAndConnect : 0, version >= 6 ? scopeSocketsAndSignals : 0};
}

std::size_t attributeBytes(long version) {
    return sizeof(std::uint64_t) * (version >= 6 ? 3 : version >= 4 ? 2 : 1);
}

int allow(int ruleset, const std::string& path, std::uint64_t rights) {
    const int target = ::open(path.c_str(), O_PATH | O_CLOEXEC);
    if (target < 0) {
        return errno;
    }
    struct stat status = {};
    ::fstat(target, &status);
    landlock_path_beneath_attr rule = {S_ISDIR(status.st_mode) ? rights : rights & fileRights, target};
    const long result = ::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    const int error = result == 0 ? 0 : errno;
    ::close(target);
    return error;
}

int allowAll(int ruleset, const std::vector<std::string>& paths, std::uint64_t rights) {
    for (const std::string& path : paths) {
        if (const int error = allow(ruleset, path, rights); error != 0) {
            return error;
        }
    }
    return 0;
}

} // namespace

int applyLandlock(const LandlockRules& rules) {
    const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 0) {
        return errno;
    }
    const RulesetAttributes handled = attributes(version);
    const int ruleset = static_cast<int>(::syscall(SYS_landlock_create_ruleset, &handled, attributeBytes(version), 0));
    if (ruleset < 0) {
        return errno;
    }
    const std::uint64_t deviceRights =
        LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_WRITE_FILE | deviceIoctlRight;
    int error = allowAll(ruleset, rules.readable, readRights);
    error = error != 0 ? error : allowAll(ruleset, rules.writable, handled.handledFiles & ~deviceIoctlRight);
    error = error != 0 ? error : allowAll(ruleset, rules.devices, deviceRights & handled.handledFiles);
    if (error == 0 && ::syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) {
        error = errno;
    }
    ::close(ruleset);
    return error;
}

} // namespace gks
