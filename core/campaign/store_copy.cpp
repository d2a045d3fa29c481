// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/store_state.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

// SQLite copies into a new file beside the target, which gets the target's name when all of it is on the disk. A log
// that lies beside a name would be taken for the copy's own, so the name must be free of one.
namespace gks {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> alreadyThere(const fs::path& target) {
    return usageError("the file already exists", target.string(), "Choose another name, or replace it with --replace");
}

// The new file; removed again unless it was given its name.
class Unfinished {
public:
    static Result<Unfinished> create(const fs::path& target, mode_t mode) {
        std::string name = target.string() + ".XXXXXX";
        const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
        if (descriptor < 0) {
            return infrastructureError(fmt::format("cannot create the file: {}", systemMessage(errno)),
                                       target.string());
        }
        ::fchmod(descriptor, mode);
        ::close(descriptor);
        return Unfinished(name);
    }
    Unfinished(Unfinished&& other) noexcept : m_path(std::exchange(other.m_path, {})) {}
    Unfinished& operator=(Unfinished&&) = delete;
    ~Unfinished() {
        if (!m_path.empty()) {
            ::unlink(m_path.c_str());
            ::unlink((m_path.string() + "-journal").c_str());
        }
    }
    const fs::path& path() const { return m_path; }

    Result<void> rename(const fs::path& target, bool replace) {
        if (replace ? ::rename(m_path.c_str(), target.c_str()) != 0
                    : ::renameat2(AT_FDCWD, m_path.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) != 0) {
            const int error = errno;
            // Not every file system can do both in one step.
            if (error != EINVAL || ::link(m_path.c_str(), target.c_str()) != 0) {
                return error == EEXIST || errno == EEXIST
                           ? alreadyThere(target)
                           : infrastructureError(fmt::format("cannot name the copy: {}", systemMessage(error)),
                                                 target.string());
            }
            ::unlink(m_path.c_str());
        }
        m_path.clear();
        const int folder = ::open(target.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        const bool safe = folder >= 0 && ::fsync(folder) == 0;
        ::close(folder);
        return safe ? Result<void>()
                    : infrastructureError(fmt::format("the copy may not survive a power cut: {}", systemMessage(errno)),
                                          target.string());
    }

private:
    explicit Unfinished(fs::path path) : m_path(std::move(path)) {}
    fs::path m_path;
};

// Holds a campaign that is to be replaced: nobody else may be writing to it, and its log is gone.
Result<std::optional<FileLock>> holdReplaced(const fs::path& target) {
    GKS_TRY(CampaignStore::open(target, CampaignStore::Access::write)); // a campaign, and put away when it is closed
    return FileLock::take(target);
}

Result<void> refuseLog(const fs::path& target) {
    for (const char* suffix : {"-wal", "-journal"}) {
        const fs::path log = target.string() + suffix;
        std::error_code ignored;
        if (fs::exists(fs::symlink_status(log, ignored))) {
            return usageError("the log of another campaign lies there, and the copy would take it for its own",
                              log.string(), "Choose another name, or remove it if the campaign is gone");
        }
    }
    return {};
}

} // namespace

Result<void> CampaignStore::copyTo(const fs::path& target, bool replace, const std::function<bool(double)>& step) {
    const fs::path to = canonicalPath(target);
    const auto there = identityOf(to);
    if (there && there == identityOf(m_state->file)) {
        return usageError("this is the campaign itself", to.string(), "Choose another name");
    }
    std::optional<FileLock> replaced;
    if (there) {
        if (!replace) {
            return alreadyThere(to);
        }
        GKS_TRY_ASSIGN(replaced, holdReplaced(to));
    }
    GKS_TRY(refuseLog(to));
    struct stat own = {};
    const mode_t mode = ::stat(m_state->file.c_str(), &own) == 0 ? own.st_mode & 0777 : 0600;
    GKS_TRY_ASSIGN(Unfinished unfinished, Unfinished::create(to, mode));
    const auto copy = [&]() -> Result<void> {
        GKS_TRY_ASSIGN(Database empty, Database::open(unfinished.path().string(), Database::Access::create));
        return m_state->database.copyInto(empty, step);
    };
    if (auto copied = copy(); !copied) {
        Error error = copied.error();
        error.where = to.string();
        if (error.kind == ErrorKind::infrastructure) {
            error.next = "Nothing was left there: free space or choose another disk, then try again";
        }
        return tl::unexpected(std::move(error));
    }
    return unfinished.rename(to, replaced.has_value());
}

} // namespace gks
