// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/store.h"

#include "core/base/error_place.h"
#include "core/base/locations.h"
#include "core/base/regular_file.h"
#include "core/campaign/damage.h"
#include "core/campaign/mirror.h"
#include "core/campaign/rules.h"
#include "core/campaign/running.h"
#include "core/campaign/schema.h"
#include "core/campaign/settings_json.h"
#include "core/campaign/store_state.h"
#include "core/campaign/store_transitions.h"
#include "core/campaign/stored_json.h"
#include "core/problem/probe_pack.h"
#include "core/problem/problem.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gks {
namespace {

namespace fs = std::filesystem;

// synchronous=FULL: one fsync per event. Events come a few per second at most and an evaluation costs seconds, so its
// result is worth the millisecond that makes it survive a power cut and not only a kill.
constexpr const char* connectionPragmas = "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL;";

Result<void> createEmptyFile(const fs::path& file) {
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (descriptor < 0) {
        if (errno == EEXIST) {
            return usageError("the file already exists", file.string(), "Choose another name or remove it first");
        }
        return infrastructureError(fmt::format("cannot create the file: {}", systemMessage(errno)), file.string());
    }
    ::close(descriptor);
    return {};
}

// Before SQLite touches the file, and without opening it: what it would wait for, or report in words of its own.
// Nothing but SQLite opens a campaign.
Result<void> checkFile(const fs::path& file) {
    struct stat status = {};
    if (::stat(file.c_str(), &status) != 0) {
        if (errno == ENOENT || errno == ENOTDIR) {
            return usageError("file not found", file.string(), "Create a campaign with: kernel-scientist-cli new");
        }
        return infrastructureError(fmt::format("cannot read the file: {}", systemMessage(errno)), file.string());
    }
    if (!S_ISREG(status.st_mode)) {
        return usageError(fmt::format("this is {}, not a campaign", specialKind(status.st_mode)), file.string(),
                          "Choose a .gks file");
    }
    if (status.st_size == 0) {
        return usageError("the file is empty, so not a campaign", file.string(), "Choose a .gks file");
    }
    // SQLite keeps its log beside the name. Two names would get two logs, and neither would know of the other. A
    // program that has the file open under this one wrote its log here.
    const bool isHeldElsewhere = isWriterByteHeld(file) && !holdsWriterByte(file);
    const auto run = isHeldElsewhere ? runOf(file) : std::nullopt;
    const bool isName = run && run->here && run->file == file;
    if (status.st_nlink > 1 && !holdsWriterByte(file) && !isName) {
        return usageError(
            fmt::format("this file has {} names (hard links), and each would get a log of its own", status.st_nlink),
            file.string(),
            fmt::format("Remove the other names (find them with: find FOLDER -samefile {}), or use a copy "
                        "made with cp while no program has it open",
                        file.filename().string()));
    }
    if (run && run->here && !isName) {
        return usageError(fmt::format("process {} has this file open as {}, and its newest work lies in the log "
                                      "beside that name",
                                      run->process, run->file.string()),
                          file.string(), "Give the file that name again, or wait for the end of the run");
    }
    for (const char* suffix : {"-wal", "-shm", "-journal"}) {
        const fs::path beside = file.string() + suffix;
        if (::lstat(beside.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
            return usageError("not a regular file, but SQLite keeps its log there", beside.string(),
                              "Remove it if you know where it comes from");
        }
    }
    return {};
}

Result<void> insertCampaign(Database& database, const ProblemPack& pack, const CampaignSettings& settings) {
    const std::string json = storedJson(toJson(settings));
    return database.run(
        "INSERT INTO campaign (one, written_by, problem_title, settings, created_at) VALUES (1, ?, ?, ?, ?)",
        {programVersion(), pack.title, json, now()});
}

// A file of an earlier schema lacks what could not be set then.
Result<void> completeSettings(Database& database) {
    std::string text;
    GKS_TRY(database.each("SELECT settings FROM campaign", {}, [&](const Row& row) -> Result<void> {
        text = row.text(0);
        return {};
    }));
    GKS_TRY_ASSIGN(const CampaignSettings settings,
                   parseStoredJson(text, "campaign.settings").and_then(settingsFromJson));
    const std::string whole = storedJson(toJson(settings));
    return whole == text ? Result<void>() : database.run("UPDATE campaign SET settings = ?", {whole});
}

} // namespace

Result<void> checkCampaign(const Database& database, const fs::path& file) {
    GKS_TRY_ASSIGN(const auto application, database.integer("PRAGMA application_id"));
    if (application != campaignApplicationId) {
        return usageError("a SQLite database, but not a campaign", file.string(), "Choose a .gks file");
    }
    GKS_TRY(refuseNewer(database, campaignMigrations(), file.string()));
    GKS_TRY(refuseForeignSchema(database, campaignMigrations(), file.string()));
    // Reads every page once. Files beyond this size are checked as they are read.
    constexpr std::uintmax_t checkLimitBytes = std::uintmax_t{64} << 20;
    std::error_code ignored;
    if (fs::file_size(file, ignored) > checkLimitBytes) {
        return {};
    }
    std::string finding;
    GKS_TRY(database.each("PRAGMA quick_check(1)", {}, [&](const Row& row) -> Result<void> {
        finding = row.text(0);
        return {};
    }));
    if (finding != "ok") {
        return damaged(finding, file.string(), "Restore a copy, or save what is readable with: sqlite3 FILE .recover");
    }
    return {};
}

fs::path canonicalPath(const fs::path& file) {
    std::error_code failed;
    const fs::path absolute = fs::absolute(file, failed);
    fs::path path = failed ? file : fs::weakly_canonical(absolute, failed);
    return failed ? file : path;
}

// A file in WAL mode in a folder that cannot be written has no place for its index; with nothing in the log it can be
// read as it is.
Result<Database> openReading(const fs::path& file) {
    GKS_TRY_ASSIGN(Database database, Database::open(file.string(), Database::Access::read));
    if (database.integer("PRAGMA user_version")) {
        return database;
    }
    std::error_code ignored;
    const fs::path log = file.string() + "-wal";
    if (fs::exists(log, ignored) && fs::file_size(log, ignored) > 0) {
        GKS_TRY(database.integer("PRAGMA user_version"));
    }
    return Database::open(file.string(), Database::Access::readImmutable);
}

void removeCampaign(const fs::path& file) {
    std::error_code ignored;
    for (const char* suffix : {"", "-wal", "-shm"}) {
        fs::remove(file.string() + suffix, ignored);
    }
}

CampaignStore::CampaignStore(std::unique_ptr<State> state) : m_state(std::move(state)) {}
CampaignStore::~CampaignStore() {
    m_state->reader.putAway();
    if (m_state->lock) {
        if (m_state->best != m_state->writtenBest) {
            if (auto transaction = m_state->begin()) {
                static_cast<void>(transaction->commit()); // without it the next reader works it out
            }
        }
        m_state->database.checkpoint(); // one file is left, also where a reader closes later
    }
}

Result<std::unique_ptr<CampaignStore>> CampaignStore::create(const fs::path& file, const CampaignSettings& settings,
                                                             const ProblemPack& pack) {
    if (pack.name == probePackName) {
        return usageError("probes are measured one by one, not in a campaign", pack.name,
                          "Use kernel-scientist-cli probe");
    }
    GKS_TRY(checkSettings(settings));
    const fs::path path = canonicalPath(file);
    GKS_TRY(createEmptyFile(path));
    const auto build = [&]() -> Result<std::unique_ptr<CampaignStore>> {
        GKS_TRY_ASSIGN(auto lock, FileLock::take(path));
        GKS_TRY_ASSIGN(Database database, Database::open(path.string(), Database::Access::create));
        GKS_TRY(database.execute(std::string("PRAGMA journal_mode = WAL;") + connectionPragmas));
        GKS_TRY(migrate(database, campaignMigrations()));
        CampaignSettings own = settings;
        own.judgedByHarness = pack.harness.has_value();
        GKS_TRY(insertCampaign(database, pack, own));
        auto state = std::make_unique<State>(State{path, std::move(lock), std::move(database), PopulationReader(path)});
        std::unique_ptr<CampaignStore> store(new CampaignStore(std::move(state)));
        for (const SeedKernel& seed : pack.seeds) {
            Kernel kernel;
            kernel.title = seed.title.empty() ? seed.name : seed.title;
            kernel.source = seed.source;
            GKS_TRY(store->addKernel(std::move(kernel)));
        }
        return store;
    };
    auto store = build();
    if (!store) {
        removeCampaign(path);
    }
    return store;
}

Result<std::unique_ptr<CampaignStore>> CampaignStore::open(const fs::path& file, Access access) {
    const fs::path path = canonicalPath(file);
    GKS_TRY(checkFile(path));
    std::optional<FileLock> lock;
    if (access == Access::write) {
        GKS_TRY(refuseMirror(path));
        GKS_TRY_ASSIGN(lock, FileLock::take(path));
    }
    if (!lock) {
        GKS_TRY_ASSIGN(Database database, openReading(path));
        GKS_TRY(checkCampaign(database, path));
        return std::unique_ptr<CampaignStore>(
            new CampaignStore(std::make_unique<State>(State{path, {}, std::move(database), PopulationReader(path)})));
    }
    GKS_TRY_ASSIGN(Database database, Database::open(path.string(), Database::Access::readWrite));
    GKS_TRY(checkCampaign(database, path));
    GKS_TRY(database.execute(std::string("PRAGMA journal_mode = WAL;") + connectionPragmas));
    GKS_TRY_ASSIGN(const auto before, database.integer("PRAGMA user_version"));
    if (before.value_or(0) < wholeSettingsVersion) { // first: a kill between the two leaves an earlier schema
        GKS_TRY(within(path.string(), completeSettings(database)));
    }
    GKS_TRY(migrate(database, campaignMigrations()));
    GKS_TRY(
        database.run("UPDATE campaign SET written_by = ? WHERE written_by <> ?", {programVersion(), programVersion()}));
    return std::unique_ptr<CampaignStore>(new CampaignStore(
        std::make_unique<State>(State{path, std::move(lock), std::move(database), PopulationReader(path)})));
}

bool CampaignStore::isPartInLog(const fs::path& file) {
    std::error_code ignored;
    const fs::path path = canonicalPath(file);
    const auto bytes = fs::file_size(path.string() + "-wal", ignored);
    return !ignored && bytes > 0 && !isWriterByteHeld(path);
}

void CampaignStore::setPatience(std::function<std::chrono::milliseconds()> limit, std::function<void()> waiting) {
    m_state->database.setPatience(std::move(limit), std::move(waiting));
}

const fs::path& CampaignStore::file() const {
    return m_state->file;
}
bool CampaignStore::readOnly() const {
    return !m_state->lock;
}

Result<Transaction> CampaignStore::State::begin() {
    if (!lock) {
        return infrastructureError("the campaign is read-only", file.string(), "Copy it to a writable folder");
    }
    GKS_TRY_ASSIGN(auto transaction, Transaction::begin(database));
    GKS_TRY(writeBest());
    return transaction;
}

Result<std::int64_t> CampaignStore::State::schema() const {
    GKS_TRY_ASSIGN(const auto version, database.integer("PRAGMA user_version"));
    return version.value_or(0);
}

Result<void> CampaignStore::State::insertSteering(const Steering& steering) {
    return database.run("INSERT INTO steering (who, action, detail, at, before) VALUES (?, ?, ?, ?, ?)",
                        {name(steering.who), steering.action, steering.detail, steering.at != 0 ? steering.at : now(),
                         steering.before});
}

Result<std::string> CampaignStore::identity() const {
    GKS_TRY_ASSIGN(const auto created, m_state->database.integer("SELECT created_at FROM campaign"));
    return fmt::format("campaign {}", created.value_or(0));
}

Result<PopulationPtr> CampaignStore::population() const {
    GKS_TRY_ASSIGN(const PopulationPtr read, within(m_state->file.string(), m_state->reader.read(m_state->database)));
    GKS_TRY(m_state->noteBest(read));
    return read;
}

Result<CampaignSettings> CampaignStore::settings() const {
    GKS_TRY_ASSIGN(const PopulationPtr current, population());
    return current->settings;
}

Result<void> CampaignStore::State::putSettings(const CampaignSettings& settings) {
    const std::string json = storedJson(toJson(settings));
    reader.campaignChanged();
    GKS_TRY(database.run("UPDATE campaign SET settings = ?", {json}));
    GKS_TRY(removeBestRow(database));
    writtenBest.reset();
    return {};
}

Result<void> CampaignStore::saveSettings(const CampaignSettings& settings, const Steering& why) {
    GKS_TRY_ASSIGN(auto transaction, m_state->begin());
    GKS_TRY(m_state->putSettings(settings));
    GKS_TRY(m_state->insertSteering(why));
    return transaction.commit();
}

Result<int> CampaignStore::recover() {
    GKS_TRY_ASSIGN(auto transaction, m_state->begin());
    m_state->reader.everythingChanged();
    GKS_TRY_ASSIGN(const int recovered, takeBackWork(m_state->database));
    GKS_TRY(transaction.commit());
    return recovered;
}

Result<void> CampaignStore::addSteering(const Steering& steering) {
    GKS_TRY_ASSIGN(auto transaction, m_state->begin());
    GKS_TRY(m_state->insertSteering(steering));
    return transaction.commit();
}

Result<void> CampaignStore::addWallSeconds(double seconds) {
    GKS_TRY_ASSIGN(auto transaction, m_state->begin());
    m_state->reader.campaignChanged();
    GKS_TRY(m_state->database.run("UPDATE campaign SET wall_seconds = wall_seconds + ?", {seconds}));
    return transaction.commit();
}

} // namespace gks
