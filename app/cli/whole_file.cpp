// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/whole_file.h"

#include "core/campaign/inode_locks.h"
#include "core/campaign/store.h"

#include <filesystem>
#include <fmt/format.h>

namespace gks::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* shortWait = "PRAGMA busy_timeout = 150";

// As the store names it: the log lies beside that name.
std::string canonicalName(const std::string& file) {
    std::error_code failed;
    const fs::path path = fs::weakly_canonical(file, failed);
    return failed ? file : path.string();
}

bool isLogEmpty(const std::string& file) {
    std::error_code ignored;
    const auto bytes = fs::file_size(file + "-wal", ignored);
    return ignored || bytes == 0;
}

// Whether all of the log went into the file; not when somebody reads or writes there.
Result<bool> foldLog(Database& database, const std::string& file) {
    GKS_TRY_ASSIGN(const auto busy, database.integer("PRAGMA wal_checkpoint(TRUNCATE)"));
    return busy == 0 && isLogEmpty(file);
}

std::string notWhole(const std::string& file, std::string_view why) {
    return fmt::format("{0} is not whole by itself: {1}part of it is in {0}-wal. "
                       "Copy it with: kernel-scientist-cli copy {0} TO.gks",
                       file, why);
}

} // namespace

std::string LastFold::put() {
    const std::string file = canonicalName(m_file);
    if (!holdsWriterByte(file)) {
        return {};
    }
    auto database = Database::open(file, Database::Access::readWrite);
    if (database && database->execute(shortWait)) {
        const auto folded = foldLog(*database, file);
        // From here on nobody writes; what came in between is in the log.
        const bool isLast = folded && *folded && database->execute("BEGIN IMMEDIATE").has_value();
        m_database.emplace(std::move(*database));
        if (isLast && isLogEmpty(file)) {
            return {};
        }
    }
    return unfinished();
}

std::string LastFold::unfinished() const {
    return notWhole(m_file, "");
}

std::string whyNotWhole(const std::string& file) {
    if (!CampaignStore::isPartInLog(file)) {
        return {};
    }
    const std::string path = canonicalName(file);
    auto database = Database::open(path, Database::Access::readWrite);
    const auto folded = database && database->execute(shortWait) ? foldLog(*database, path) : Result<bool>(false);
    if (!folded) {
        return notWhole(file, folded.error().what + ", and ");
    }
    return *folded ? std::string() : notWhole(file, "another program still reads it, and until that ends ");
}

} // namespace gks::cli
