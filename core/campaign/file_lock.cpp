// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/file_lock.h"

#include "core/campaign/running.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

namespace gks {
namespace {

constexpr std::string_view closeItThere = "Close it there first; only one process at a time can run a campaign";

} // namespace

bool isInUse(const Error& error) {
    return error.next == closeItThere;
}

FileLock::FileLock(FileLock&& other) noexcept : m_identity(std::exchange(other.m_identity, std::nullopt)) {}
FileLock& FileLock::operator=(FileLock&& other) noexcept {
    std::swap(m_identity, other.m_identity);
    return *this;
}
FileLock::~FileLock() {
    if (m_identity) {
        endRunRecord(*m_identity);
        dropWriterByte(*m_identity);
    }
}

bool FileLock::isHeld(const std::filesystem::path& campaign) {
    return isWriterByteHeld(campaign);
}

Result<std::optional<FileLock>> FileLock::take(const std::filesystem::path& campaign) {
    const auto identity = identityOf(campaign);
    if (!identity) {
        return infrastructureError(fmt::format("cannot open: {}", systemMessage(errno)), campaign.string());
    }
    if (::faccessat(AT_FDCWD, campaign.parent_path().c_str(), W_OK, AT_EACCESS) != 0) {
        return std::optional<FileLock>(); // SQLite's log has no place
    }
    GKS_TRY_ASSIGN(const WriterByte got, takeWriterByte(campaign, *identity));
    switch (got) {
    case WriterByte::notWritable:
        return std::optional<FileLock>();
    case WriterByte::held: {
        const auto run = runOf(campaign);
        const std::string who = run ? fmt::format("process {} on {}", run->process, run->host)
                                    : std::string("another user's program or another machine");
        return infrastructureError(fmt::format("in use by {}", who), campaign.string(), std::string(closeItThere));
    }
    case WriterByte::taken:
        break;
    }
    beginRunRecord(campaign, *identity);
    return std::optional(FileLock(*identity));
}

} // namespace gks
