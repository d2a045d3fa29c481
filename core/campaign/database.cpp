// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/database.h"

#include "core/campaign/damage.h"
#include "core/campaign/inode_locks.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <sqlite3.h>
#include <thread>
#include <utility>

namespace gks {
namespace {

// A short-lived writer (a backup tool, the sqlite3 shell) is waited for; a lasting one is an error.
constexpr std::chrono::seconds usualPatience(5);
// Closing need not wait long for readers: whoever closes last puts the log away.
constexpr int checkpointTimeoutMs = 500;

constexpr std::uintmax_t roomOfAnyWrite = std::uintmax_t{1} << 30;
constexpr const char* whenDiskIsFull = "Stored data is safe. Free disk space and run again";

// Of one connection: a campaign asks a few dozen questions again and again.
constexpr std::size_t mostKeptStatements = 64;

int bindValue(sqlite3_stmt* statement, int index, const Value& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        return sqlite3_bind_int64(statement, index, *integer);
    }
    if (const auto* real = std::get_if<double>(&value)) {
        return sqlite3_bind_double(statement, index, *real);
    }
    // The bytes outlive the statement's single run, so SQLite need not copy them.
    if (const auto* text = std::get_if<std::string_view>(&value)) {
        const char* data = text->data() != nullptr ? text->data() : "";
        return sqlite3_bind_text64(statement, index, data, text->size(), SQLITE_STATIC, SQLITE_UTF8);
    }
    if (const auto* blob = std::get_if<Blob>(&value)) {
        const char* data = blob->bytes.data() != nullptr ? blob->bytes.data() : "";
        return sqlite3_bind_blob64(statement, index, data, blob->bytes.size(), SQLITE_STATIC);
    }
    return sqlite3_bind_null(statement, index);
}

} // namespace

bool Row::isNull(int column) const {
    return sqlite3_column_type(m_statement, column) == SQLITE_NULL;
}
std::int64_t Row::integer(int column) const {
    return sqlite3_column_int64(m_statement, column);
}
double Row::real(int column) const {
    return sqlite3_column_double(m_statement, column);
}
std::string Row::text(int column) const {
    const void* data = sqlite3_column_blob(m_statement, column);
    const int size = sqlite3_column_bytes(m_statement, column);
    return data != nullptr ? std::string(static_cast<const char*>(data), static_cast<std::size_t>(size))
                           : std::string();
}
bool Row::isBlob(int column) const {
    return sqlite3_column_type(m_statement, column) == SQLITE_BLOB;
}
std::optional<std::int64_t> Row::optionalInteger(int column) const {
    return isNull(column) ? std::nullopt : std::optional(integer(column));
}
std::optional<double> Row::optionalReal(int column) const {
    return isNull(column) ? std::nullopt : std::optional(real(column));
}

void Database::Finalizer::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

struct Database::Patience {
    std::function<std::chrono::milliseconds()> limit = [] { return usualPatience; };
    std::function<void()> waiting;
    std::chrono::steady_clock::time_point since;
    bool isTold = false;
};

// SQLite asks again and again for as long as somebody else has the lock; `times` begins at 0 for each wait.
int Database::waitForLock(void* patience, int times) {
    auto& own = *static_cast<Patience*>(patience);
    const auto now = std::chrono::steady_clock::now();
    if (times == 0) {
        own.since = now;
        own.isTold = false;
    }
    const auto waited = now - own.since;
    if (waited >= own.limit()) {
        return 0;
    }
    if (waited >= usualPatience && own.waiting && !std::exchange(own.isTold, true)) {
        own.waiting();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(std::min(1 + times, 50)));
    return 1;
}

Database::Database(sqlite3* handle, std::string path)
    : m_handle(handle), m_path(std::move(path)), m_patience(std::make_unique<Patience>()) {}
Database::Database(Database&& other) noexcept
    : m_handle(std::exchange(other.m_handle, nullptr))
    , m_path(std::move(other.m_path))
    , m_patience(std::move(other.m_patience))
    , m_idle(std::move(other.m_idle)) {}
Database& Database::operator=(Database&& other) noexcept {
    std::swap(m_handle, other.m_handle);
    std::swap(m_path, other.m_path);
    std::swap(m_patience, other.m_patience);
    std::swap(m_idle, other.m_idle);
    return *this;
}
Database::~Database() {
    m_idle.clear();
    sqlite3_close_v2(m_handle);
}

void Database::setPatience(std::function<std::chrono::milliseconds()> limit, std::function<void()> waiting) {
    m_patience->limit = std::move(limit);
    m_patience->waiting = std::move(waiting);
}

Result<Database> Database::open(const std::string& path, Access access) {
    installInodeLocks();
    // One thread uses a connection at a time, so SQLite need not lock it for each value of each row.
    int flags = SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOMUTEX;
    flags |= access == Access::create          ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
             : access == Access::readImmutable ? SQLITE_OPEN_READONLY
                                               : SQLITE_OPEN_READWRITE;
    // A URI gives meaning to these three characters in a file name.
    std::string uri = "file:";
    for (const char c : path) {
        uri += c == '%' ? "%25" : c == '?' ? "%3f" : c == '#' ? "%23" : std::string(1, c);
    }
    if (access == Access::readImmutable) {
        uri += "?immutable=1";
    }
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(uri.c_str(), &handle, flags, nullptr);
    Database database(handle, path);
    if (code != SQLITE_OK) {
        return database.failure();
    }
    sqlite3_busy_handler(handle, waitForLock, database.m_patience.get());
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    GKS_TRY(database.execute("PRAGMA cell_size_check = ON"));
    if (access == Access::read) {
        GKS_TRY(database.execute("PRAGMA query_only = ON"));
    }
    return database;
}

tl::unexpected<Error> Database::failure() const {
    const int extended = m_handle != nullptr ? sqlite3_extended_errcode(m_handle) : SQLITE_NOMEM;
    const int systemError = m_handle != nullptr ? sqlite3_system_errno(m_handle) : 0;
    const std::string text = m_handle != nullptr ? sqlite3_errmsg(m_handle) : "out of memory";
    // SQLite knows ENOSPC; a quota or a file size limit is a failed write to it, and it forgets the errno of its log
    // file.
    std::error_code ignored;
    const auto room = std::filesystem::space(std::filesystem::path(m_path).parent_path(), ignored).available;
    if (extended == SQLITE_FULL && !ignored && room > roomOfAnyWrite) {
        return infrastructureError("SQLite takes no more rows", m_path,
                                   "Its counters were changed, or the file is as large as one may be: start another");
    }
    // The index of the log has to find room too, and its failure is none of a write to SQLite.
    const bool hasNoRoom = (extended & 0xff) == SQLITE_IOERR && (systemError == ENOSPC || systemError == EDQUOT);
    if (extended == SQLITE_FULL || extended == SQLITE_IOERR_WRITE || hasNoRoom) {
        return infrastructureError(extended == SQLITE_FULL || hasNoRoom ? "the disk is full"
                                                                        : "cannot write: the disk is full or failing",
                                   m_path, whenDiskIsFull);
    }
    switch (extended & 0xff) {
    case SQLITE_NOTADB:
        return usageError("not a SQLite database, so not a campaign", m_path, "Choose a .gks file");
    case SQLITE_CORRUPT:
        return damaged(text, m_path, "Restore a copy, or save what is readable with: sqlite3 FILE .recover");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return infrastructureError("in use by another process", m_path,
                                   "Close the program that has it open, then try again");
    case SQLITE_READONLY:
        return infrastructureError("the campaign is read-only", m_path, "Copy it to a writable folder");
    case SQLITE_CANTOPEN:
        return infrastructureError(fmt::format("cannot open: {}", systemError != 0 ? systemMessage(systemError) : text),
                                   m_path);
    case SQLITE_IOERR:
        return infrastructureError(fmt::format("cannot read or write ({}, {})", text, systemMessage(systemError)),
                                   m_path, "Check the disk");
    default:
        return infrastructureError(text, m_path);
    }
}

Result<void> Database::execute(const std::string& sql) {
    if (sqlite3_exec(m_handle, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
        return failure();
    }
    return {};
}

Result<void> Database::run(const char* sql, std::initializer_list<Value> values) {
    return each(sql, values, [](const Row&) { return Result<void>(); });
}

Result<void> Database::each(const char* sql, std::initializer_list<Value> values,
                            const std::function<Result<void>(const Row&)>& row) const {
    StatementPtr statement = takeIdle(sql);
    if (!statement) {
        sqlite3_stmt* raw = nullptr;
        if (sqlite3_prepare_v3(m_handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &raw, nullptr) != SQLITE_OK) {
            return failure();
        }
        statement.reset(raw);
    }
    int index = 1;
    for (const Value& value : values) {
        if (bindValue(statement.get(), index++, value) != SQLITE_OK) {
            return failure();
        }
    }
    for (;;) {
        const int code = sqlite3_step(statement.get());
        if (code == SQLITE_DONE) {
            keepIdle(sql, std::move(statement));
            return {};
        }
        if (code != SQLITE_ROW) {
            return failure();
        }
        GKS_TRY(row(Row(statement.get())));
    }
}

// Nobody else gets it while it is in use: a row may ask the same question again.
Database::StatementPtr Database::takeIdle(const char* sql) const {
    const auto known = m_idle.find(std::string_view(sql));
    if (known == m_idle.end()) {
        return nullptr;
    }
    StatementPtr statement = std::move(known->second);
    m_idle.erase(known);
    return statement;
}

void Database::keepIdle(const char* sql, StatementPtr statement) const {
    if (m_idle.size() >= mostKeptStatements) {
        m_idle.clear();
    }
    sqlite3_reset(statement.get());
    sqlite3_clear_bindings(statement.get()); // they point to values of the caller
    m_idle.insert_or_assign(sql, std::move(statement));
}

Result<std::optional<std::int64_t>> Database::integer(const char* sql, std::initializer_list<Value> values) const {
    std::optional<std::int64_t> found;
    GKS_TRY(each(sql, values, [&](const Row& row) -> Result<void> {
        found = row.optionalInteger(0);
        return {};
    }));
    return found;
}

std::int64_t Database::lastId() const {
    return sqlite3_last_insert_rowid(m_handle);
}
std::int64_t Database::changes() const {
    return sqlite3_changes64(m_handle);
}

void Database::checkpoint() {
    sqlite3_busy_timeout(m_handle, checkpointTimeoutMs);
    sqlite3_wal_checkpoint_v2(m_handle, nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
    sqlite3_busy_handler(m_handle, waitForLock, m_patience.get());
}

Result<void> Database::copyInto(Database& empty, const std::function<bool(double)>& step) {
    constexpr int pagesAtOnce = 1024;
    // An open read transaction keeps the moment: without it the copy would begin again with every change.
    GKS_TRY(execute("BEGIN"));
    const auto copy = [&]() -> Result<void> {
        GKS_TRY(integer("SELECT count(*) FROM sqlite_schema"));
        sqlite3_backup* backup = sqlite3_backup_init(empty.m_handle, "main", m_handle, "main");
        if (backup == nullptr) {
            return empty.failure();
        }
        int code = SQLITE_OK;
        bool wanted = true;
        while (code == SQLITE_OK && wanted) {
            code = sqlite3_backup_step(backup, pagesAtOnce);
            const int pages = std::max(sqlite3_backup_pagecount(backup), 1);
            wanted = step(1 - static_cast<double>(sqlite3_backup_remaining(backup)) / pages);
        }
        sqlite3_backup_finish(backup);
        if (code != SQLITE_DONE) {
            return code == SQLITE_OK ? cancelledError(m_path) : empty.failure();
        }
        return {};
    };
    auto copied = copy();
    static_cast<void>(execute("ROLLBACK"));
    return copied;
}

Result<std::string> Database::image() const {
    sqlite3_int64 size = 0;
    unsigned char* const bytes = sqlite3_serialize(m_handle, "main", &size, 0);
    if (bytes == nullptr) {
        return failure();
    }
    std::string image(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
    sqlite3_free(bytes);
    return image;
}

Result<Database> Database::ofImage(std::string_view image, const std::string& path) {
    // Bytes 18 and 19 ask for a log, which memory has none of.
    constexpr std::size_t headerBytes = 100;
    auto* const bytes = static_cast<unsigned char*>(sqlite3_malloc64(std::max(image.size(), headerBytes)));
    sqlite3* handle = nullptr;
    if (bytes == nullptr || image.size() < headerBytes || sqlite3_open(":memory:", &handle) != SQLITE_OK) {
        sqlite3_free(bytes);
        sqlite3_close(handle);
        return infrastructureError("is no image of a campaign", path);
    }
    std::memcpy(bytes, image.data(), image.size());
    bytes[18] = 1;
    bytes[19] = 1;
    Database database(handle, path);
    const auto size = static_cast<sqlite3_int64>(image.size());
    if (sqlite3_deserialize(handle, "main", bytes, size, size,
                            SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY) != SQLITE_OK) {
        return database.failure(); // it has freed the bytes
    }
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
    GKS_TRY(database.execute("PRAGMA cell_size_check = ON"));
    return database;
}

Result<Transaction> Transaction::begin(Database& database) {
    GKS_TRY(database.execute("BEGIN IMMEDIATE"));
    return Transaction(database);
}
Transaction::Transaction(Transaction&& other) noexcept : m_database(std::exchange(other.m_database, nullptr)) {}
Transaction::~Transaction() {
    // A full disk makes SQLite roll back by itself; a second ROLLBACK would be an error.
    if (m_database != nullptr && sqlite3_get_autocommit(m_database->m_handle) == 0) {
        static_cast<void>(m_database->execute("ROLLBACK"));
    }
}
Result<void> Transaction::commit() {
    GKS_TRY(m_database->execute("COMMIT"));
    m_database = nullptr;
    return {};
}

} // namespace gks
