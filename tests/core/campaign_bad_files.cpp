// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/locations.h"
#include "core/campaign/schema.h"
#include "tests/support/campaign_samples.h"

#include <QTest>
#include <array>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace gks;
using namespace gks::test;

// Every way in which a file is not a campaign that can be opened, each with a message of its own.
class CampaignBadFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysWhatIsWrong_data();
    void saysWhatIsWrong();
    void foreignSchemaIsRefused_data();
    void foreignSchemaIsRefused();
    void statisticsOfSqliteAreNoForeignSchema();
    void foreignViewIsNotRead();
    void logThatIsNoFileIsRefused();
    void newerVersionNamesItsProgram();
    void damageIsFound();
    void onlyOneWriter();
    void lockDiesWithItsHolder();
    void foreignTransactionIsNamed();
    void readOnlyFolder();
    void migratesStepByStep();
    void failedMigrationChangesNothing();
};

void CampaignBadFiles::saysWhatIsWrong_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("expected");
    QTest::newRow("missing") << "missing" << "file not found";
    QTest::newRow("folder") << "folder" << "this is a folder";
    QTest::newRow("empty") << "empty" << "the file is empty";
    QTest::newRow("text") << "text" << "not a SQLite database";
    QTest::newRow("other-database") << "other" << "a SQLite database, but not a campaign";
    QTest::newRow("header-only") << "header" << "damaged";
    QTest::newRow("fifo") << "fifo" << "this is a named pipe";
    QTest::newRow("socket") << "socket" << "this is a socket";
    QTest::newRow("device") << "device" << "this is a device";
}

void CampaignBadFiles::saysWhatIsWrong() {
    QFETCH(QString, kind);
    QFETCH(QString, expected);
    const auto folder = TemporaryDirectory::create("bad").value();
    const auto file = folder.path() / "x.gks";
    if (kind == QLatin1String("folder")) {
        QVERIFY(makeDirectories(file));
    } else if (kind == QLatin1String("empty")) {
        QVERIFY(writeFileAtomically(file, ""));
    } else if (kind == QLatin1String("text")) {
        QVERIFY(writeFileAtomically(file, "Dear diary, today I wrote a kernel."));
    } else if (kind == QLatin1String("header")) {
        QVERIFY(writeFileAtomically(file, std::string("SQLite format 3\0", 16) + std::string(2000, 'x')));
    } else if (kind == QLatin1String("fifo")) {
        QCOMPARE(::mkfifo(file.c_str(), 0600), 0); // without a writer: reading it would wait for ever
    } else if (kind == QLatin1String("socket")) {
        QCOMPARE(::mknod(file.c_str(), S_IFSOCK | 0600, 0), 0);
    } else if (kind == QLatin1String("device")) {
        std::filesystem::create_symlink("/dev/zero", file);
    } else if (kind == QLatin1String("other")) {
        auto database = Database::open(file.string(), Database::Access::create).value();
        QVERIFY(database.execute("CREATE TABLE shopping (item)"));
    }
    for (const auto access : {CampaignStore::Access::write, CampaignStore::Access::read}) {
        const auto opened = CampaignStore::open(file, access);
        QVERIFY(!opened);
        const std::string message = opened.error().message();
        const bool other =
            kind == QLatin1String("header") && message.find("not a SQLite database") != std::string::npos;
        QVERIFY2(other || message.find(expected.toStdString()) != std::string::npos, message.c_str());
        QVERIFY(message.find(kind == QLatin1String("device") ? "/dev/zero" : file.string()) != std::string::npos);
    }
    const auto beside = std::filesystem::directory_iterator(folder.path());
    QVERIFY(std::distance(begin(beside), end(beside)) <= 1); // nothing is left beside it
}

void CampaignBadFiles::foreignSchemaIsRefused_data() {
    QTest::addColumn<QString>("sql");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* sql, const char* expected) {
        QTest::newRow(name) << QString::fromLatin1(sql) << QString::fromLatin1(expected);
    };
    row("trigger", "CREATE TRIGGER t AFTER INSERT ON kernel BEGIN UPDATE campaign SET settings = ''; END",
        "unknown trigger t");
    row("view", "CREATE VIEW v AS SELECT * FROM kernel", "unknown view v");
    row("table", "CREATE TABLE diary (page)", "unknown table diary");
    row("expression-index", "CREATE INDEX i ON kernel (hex(title))", "unknown index i");
    row("computed-column", "ALTER TABLE kernel ADD COLUMN c AS (hex(title))", "another table kernel");
    row("trigger-of-an-old-version",
        "CREATE TRIGGER passage_added AFTER INSERT ON passage BEGIN DELETE FROM kernel; END",
        "unknown trigger passage_added");
    row("view-in-place-of-a-table", "ALTER TABLE steering RENAME TO s; CREATE VIEW steering AS SELECT * FROM s",
        "unknown table s");
    row("table-missing", "DROP TABLE steering", "damaged (table steering is missing)");
    row("terminal-codes", "CREATE TABLE \"\x1b]0;owned\" (x)", "unknown table");
}

void CampaignBadFiles::foreignSchemaIsRefused() {
    QFETCH(QString, sql);
    QFETCH(QString, expected);
    Campaign campaign;
    campaign.store.reset();
    {
        auto database = Database::open(campaign.file.string(), Database::Access::readWrite).value();
        QVERIFY(database.execute(sql.toStdString()));
    }
    for (const auto access : {CampaignStore::Access::write, CampaignStore::Access::read}) {
        const auto opened = CampaignStore::open(campaign.file, access);
        QVERIFY(!opened);
        QVERIFY2(opened.error().what.find(expected.toStdString()) != std::string::npos,
                 opened.error().message().c_str());
    }
}

void CampaignBadFiles::statisticsOfSqliteAreNoForeignSchema() {
    Campaign campaign;
    campaign.store.reset();
    const auto change = [&](const char* sql) {
        return Database::open(campaign.file.string(), Database::Access::readWrite).value().execute(sql).has_value();
    };
    QVERIFY(change("ANALYZE"));
    for (const auto access : {CampaignStore::Access::write, CampaignStore::Access::read}) {
        QVERIFY(CampaignStore::open(campaign.file, access));
    }
}

// Not even by a connection that has not looked at the schema.
void CampaignBadFiles::foreignViewIsNotRead() {
    Campaign campaign;
    campaign.store.reset();
    auto database = Database::open(campaign.file.string(), Database::Access::readWrite).value();
    QVERIFY(database.execute("CREATE VIEW v AS SELECT 1"));
    QVERIFY(!database.integer("SELECT * FROM v"));
    QVERIFY(database.integer("PRAGMA trusted_schema").value() == 0);
}

void CampaignBadFiles::logThatIsNoFileIsRefused() {
    Campaign campaign;
    campaign.store.reset();
    const std::string log = campaign.file.string() + "-wal";
    QCOMPARE(::mkfifo(log.c_str(), 0600), 0);
    for (const auto access : {CampaignStore::Access::write, CampaignStore::Access::read}) {
        const auto opened = CampaignStore::open(campaign.file, access);
        QVERIFY(!opened);
        QVERIFY2(opened.error().message().find(log) != std::string::npos, opened.error().message().c_str());
    }
}

void CampaignBadFiles::newerVersionNamesItsProgram() {
    Campaign campaign;
    campaign.store.reset();
    {
        auto database = Database::open(campaign.file.string(), Database::Access::readWrite).value();
        QVERIFY(database.execute("PRAGMA user_version = 99; UPDATE campaign SET written_by = '7.5.0'"));
    }
    const auto opened = CampaignStore::open(campaign.file);
    QVERIFY(!opened);
    QVERIFY2(opened.error().what.find("version 7.5.0") != std::string::npos, opened.error().message().c_str());
    auto database = Database::open(campaign.file.string(), Database::Access::read).value();
    QCOMPARE(database.integer("PRAGMA user_version").value().value(), 99);
}

void CampaignBadFiles::damageIsFound() {
    Campaign campaign;
    for (int i = 0; i < 50; ++i) {
        QVERIFY(campaign.store->addKernel(sampleKernel(1, randomText(4000) + std::to_string(i))));
    }
    campaign.store.reset();
    std::string bytes = readFile(campaign.file).value();
    const std::string whole = bytes;
    for (std::size_t page = 1; page * 4096 < bytes.size(); page += 2) {
        bytes.replace(page * 4096, 64, std::string(64, '\x7f'));
    }
    QVERIFY(writeFileAtomically(campaign.file, bytes));
    const auto overwritten = CampaignStore::open(campaign.file);
    QVERIFY(!overwritten);
    QVERIFY2(overwritten.error().what.find("damaged") != std::string::npos, overwritten.error().message().c_str());
    QVERIFY(writeFileAtomically(campaign.file, whole.substr(0, whole.size() / 2)));
    const auto cut = CampaignStore::open(campaign.file);
    QVERIFY(!cut);
    QVERIFY2(cut.error().what.find("damaged") != std::string::npos, cut.error().message().c_str());
    QVERIFY(writeFileAtomically(campaign.file, whole));
    QVERIFY(CampaignStore::open(campaign.file));
}

void CampaignBadFiles::onlyOneWriter() {
    Campaign campaign;
    const auto second = CampaignStore::open(campaign.file);
    QVERIFY(!second);
    const std::string message = second.error().message();
    QVERIFY2(message.find("in use by process " + std::to_string(::getpid())) != std::string::npos, message.c_str());
    QVERIFY(CampaignStore::open(campaign.file, CampaignStore::Access::read));
    // The same file under another name is the same campaign.
    const auto link = campaign.folder.path() / "link.gks";
    std::filesystem::create_symlink(campaign.file, link);
    QVERIFY(!CampaignStore::open(link));
    campaign.store.reset();
    QVERIFY(CampaignStore::open(link));
}

void CampaignBadFiles::lockDiesWithItsHolder() {
    Campaign campaign;
    campaign.store.reset();
    std::array<int, 2> ready{};
    QCOMPARE(::pipe(ready.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        auto held = CampaignStore::open(campaign.file);
        [[maybe_unused]] const ssize_t put = ::write(ready[1], held ? "y" : "n", 1);
        ::pause();
        ::_exit(0);
    }
    char answer = 0;
    QCOMPARE(::read(ready[0], &answer, 1), ssize_t{1});
    QCOMPARE(answer, 'y');
    QVERIFY(!CampaignStore::open(campaign.file));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    QVERIFY(CampaignStore::open(campaign.file));
    ::close(ready[0]);
    ::close(ready[1]);
}

void CampaignBadFiles::foreignTransactionIsNamed() {
    Campaign campaign;
    auto other = Database::open(campaign.file.string(), Database::Access::readWrite).value();
    QVERIFY(other.execute("BEGIN IMMEDIATE"));
    const auto refused = campaign.store->addKernel(sampleKernel(1, "int q;"));
    QVERIFY(!refused);
    QVERIFY2(refused.error().what.find("in use by another process") != std::string::npos,
             refused.error().message().c_str());
    QVERIFY(other.execute("ROLLBACK"));
    QVERIFY(campaign.store->addKernel(sampleKernel(1, "int q;")));
}

void CampaignBadFiles::readOnlyFolder() {
    Campaign campaign;
    campaign.store.reset();
    ::chmod(campaign.folder.path().c_str(), 0555);
    ::chmod(campaign.file.c_str(), 0444);
    const auto check = [&]() -> int {
        const auto opened = CampaignStore::open(campaign.file);
        if (!opened) {
            return 1;
        }
        if (!(*opened)->readOnly() || (*opened)->population().value()->kernels.size() != 2) {
            return 2;
        }
        const auto refused = (*opened)->addKernel(sampleKernel(1, "int r;"));
        return refused || refused.error().what.find("read-only") == std::string::npos ? 3 : 0;
    };
    // Root may write everywhere, so the check runs as somebody else.
    const pid_t child = ::fork();
    if (child == 0) {
        const bool other = ::geteuid() != 0 || (::setgid(65534) == 0 && ::setuid(65534) == 0);
        ::_exit(other ? check() : 4);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ::chmod(campaign.folder.path().c_str(), 0755);
    QVERIFY(WIFEXITED(status));
    QCOMPARE(WEXITSTATUS(status), 0);
}

void CampaignBadFiles::migratesStepByStep() {
    const std::array chain = {Migration{1, "CREATE TABLE a (x); INSERT INTO a VALUES (1);"},
                              Migration{2, "ALTER TABLE a ADD COLUMN y DEFAULT 5;"},
                              Migration{3, "UPDATE a SET y = y + x;"}};
    const auto folder = TemporaryDirectory::create("migrate").value();
    auto database = Database::open((folder.path() / "m").string(), Database::Access::create).value();
    QVERIFY(migrate(database, std::span(chain).first(1)));
    QCOMPARE(database.integer("PRAGMA user_version").value().value(), 1);
    QVERIFY(migrate(database, chain));
    QVERIFY(migrate(database, chain)); // nothing runs twice
    QCOMPARE(database.integer("SELECT y FROM a").value().value(), 6);
    QCOMPARE(database.integer("PRAGMA user_version").value().value(), 3);
    QCOMPARE(database.integer("PRAGMA application_id").value().value(), campaignApplicationId);
    QVERIFY(!refuseNewer(database, std::span(chain).first(2), "m"));
}

void CampaignBadFiles::failedMigrationChangesNothing() {
    const std::array chain = {Migration{1, "CREATE TABLE a (x);"},
                              Migration{2, "CREATE TABLE b (y); SELECT nonsense FROM nowhere;"}};
    const auto folder = TemporaryDirectory::create("migrate").value();
    auto database = Database::open((folder.path() / "m").string(), Database::Access::create).value();
    QVERIFY(migrate(database, std::span(chain).first(1)));
    QVERIFY(!migrate(database, chain));
    QCOMPARE(database.integer("PRAGMA user_version").value().value(), 1);
    QCOMPARE(database.integer("SELECT count(*) FROM sqlite_master WHERE name = 'b'").value().value(), 0);
}

QTEST_APPLESS_MAIN(CampaignBadFiles)
#include "campaign_bad_files.moc"
