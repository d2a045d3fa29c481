// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

struct sqlite3;
struct sqlite3_stmt;

namespace gks {

struct Blob {
    std::string_view bytes;
};
using Value = std::variant<std::monostate, std::int64_t, double, std::string_view, Blob>;

template<class T>
Value orNull(const std::optional<T>& value) {
    return value ? Value(*value) : Value();
}

// One end of what may be missing.
inline Value bound(const std::optional<Interval>& interval, double Interval::* end) {
    return interval ? Value((*interval).*end) : Value();
}

// The current row of a query; valid inside the callback only.
class Row {
public:
    explicit Row(sqlite3_stmt* statement) : m_statement(statement) {}
    bool isNull(int column) const;
    std::int64_t integer(int column) const;
    double real(int column) const;
    std::string text(int column) const; // and blobs
    bool isBlob(int column) const;
    bool flag(int column) const { return integer(column) != 0; }
    std::optional<std::int64_t> optionalInteger(int column) const;
    std::optional<double> optionalReal(int column) const;

private:
    sqlite3_stmt* m_statement;
};

// One SQLite connection, for one thread at a time. Errors are told apart by what a person can do about them: disk full,
// read-only, locked, damaged. The file may come from anybody: its schema is not trusted to call functions, and views
// are off.
class Database {
public:
    // read: a reader that may write where the system lets it, but does not (query_only): the last one to close puts the
    // log away, so that one file is left. readImmutable: no locks and no log, for a folder that cannot be written.
    enum class Access { create, readWrite, read, readImmutable };
    // `path` names the file in messages too.
    static Result<Database> open(const std::string& path, Access access);
    Database(Database&&) noexcept;
    Database& operator=(Database&&) noexcept;
    ~Database();

    // How long a lock of another program is waited for (5 s unless said); asked anew while it is. `waiting` is told
    // once a wait when it takes longer than those.
    void setPatience(std::function<std::chrono::milliseconds()> limit, std::function<void()> waiting);
    Result<void> execute(const std::string& sql); // any number of statements without parameters
    Result<void> run(const char* sql, std::initializer_list<Value> values = {});
    Result<void> each(const char* sql, std::initializer_list<Value> values,
                      const std::function<Result<void>(const Row&)>& row) const;
    Result<std::optional<std::int64_t>> integer(const char* sql, std::initializer_list<Value> values = {}) const;
    std::int64_t lastId() const;
    std::int64_t changes() const;
    // Everything in the log into the file, and the log to nothing. Waits a moment for readers; what they keep stays in
    // the log and is safe there.
    void checkpoint();
    // Everything as it is at this moment, into an empty database, a few megabytes at a time. Other connections go on
    // writing to this one meanwhile. `step` hears how much is done, 0 to 1, and says whether to go on.
    Result<void> copyInto(Database& empty, const std::function<bool(double)>& step);
    // The same as one piece of memory, and a database to be read that is such a piece, whoever has made it.
    Result<std::string> image() const;
    static Result<Database> ofImage(std::string_view image, const std::string& path);

private:
    friend class Transaction;
    Database(sqlite3* handle, std::string path);
    tl::unexpected<Error> failure() const;

    struct Finalizer {
        void operator()(sqlite3_stmt* statement) const;
    };
    using StatementPtr = std::unique_ptr<sqlite3_stmt, Finalizer>;
    StatementPtr takeIdle(const char* sql) const;
    void keepIdle(const char* sql, StatementPtr statement) const;

    struct Patience;
    static int waitForLock(void* patience, int times);

    sqlite3* m_handle = nullptr;
    std::string m_path;
    std::unique_ptr<Patience> m_patience;
    mutable std::map<std::string, StatementPtr, std::less<>> m_idle; // prepared, by their text
};

// Begins at once with the write lock; what is not committed is undone by the destructor.
class Transaction {
public:
    static Result<Transaction> begin(Database& database);
    Transaction(Transaction&& other) noexcept;
    Transaction& operator=(Transaction&&) = delete;
    ~Transaction();
    Result<void> commit();

private:
    explicit Transaction(Database& database) : m_database(&database) {}
    Database* m_database;
};

} // namespace gks
