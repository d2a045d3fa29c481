// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/process.h"
#include "tests/support/engine_fakes.h"

#include <QTest>
#include <atomic>
#include <fcntl.h>
#include <unistd.h>

using namespace gks;
using namespace gks::test;

// Other programs and other parts of this one look at a campaign while an engine works on it. POSIX locks are dropped by
// any close of the file in the same process, and a log without locks is removed by the next program that comes along.
class EngineForeignReaders : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingIsLost_data();
    void nothingIsLost();
    void aReaderFollows();
    void aReaderChangesNothing();
};

namespace {

// As a person at a shell: the real program, a process of its own.
std::string sqlite3(const std::filesystem::path& file, const std::string& sql) {
    const auto done = runProcess({{"sqlite3", file.string(), sql}});
    if (!done || !done->ok()) {
        qFatal("sqlite3: %s", done ? done->error.c_str() : done.error().message().c_str());
    }
    return done->output;
}

} // namespace

void EngineForeignReaders::nothingIsLost_data() {
    QTest::addColumn<bool>("touched");
    QTest::newRow("second-reader") << false;
    QTest::newRow("file-dialog") << true; // whatever looks into the file to tell what it is
}

void EngineForeignReaders::nothingIsLost() {
    QFETCH(bool, touched);
    EngineRun run;
    run.world.holdEvaluations = true;
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return world.evaluating == 1; }));
    QVERIFY(run.engine->steering()); // the engine's own connection for questions
    {
        const auto reader = CampaignStore::open(run.campaign.file, CampaignStore::Access::read);
        QVERIFY(reader);
        QCOMPARE(reader.value()->population().value()->kernels.size(), 2u);
        if (touched) {
            ::close(::open(run.campaign.file.c_str(), O_RDONLY | O_CLOEXEC));
        }
        QCOMPARE(sqlite3(run.campaign.file, "SELECT count(*) FROM kernel"), std::string("2\n"));
    }
    QCOMPARE(sqlite3(run.campaign.file, "SELECT count(*) FROM kernel"), std::string("2\n"));
    run.world.set([](FakeWorld& world) { world.holdEvaluations = false; });
    QVERIFY(run.quiet());
    run.engine->send(command::AddKernel{1, "by hand", "us 42"});
    run.engine->send(command::SetHint{"wider loads"});
    QVERIFY(run.quiet());
    const std::size_t kernels = run.population()->kernels.size();
    const std::size_t decisions = run.engine->steering().value().size();
    run.close();
    const auto store = CampaignStore::open(run.campaign.file, CampaignStore::Access::read).value();
    QCOMPARE(store->population().value()->kernels.size(), kernels);
    QCOMPARE(store->steering().value().size(), decisions);
    QCOMPARE(sqlite3(run.campaign.file, "SELECT count(*) FROM kernel"), std::to_string(kernels) + "\n");
}

// A second engine over the file, as a window that watches another program's run has it.
struct Watcher {
    explicit Watcher(const std::filesystem::path& file) {
        EngineOptions options;
        options.access = CampaignStore::Access::read;
        options.sink = [this](const EngineEvent& event) {
            if (std::holds_alternative<WarningRaised>(event)) {
                ++warnings;
            } else if (std::holds_alternative<PopulationChanged>(event)) {
                ++populations;
            }
        };
        engine = Engine::open(file, std::move(options)).value();
    }
    std::atomic<int> warnings = 0;
    std::atomic<int> populations = 0;
    std::unique_ptr<Engine> engine;
};

void EngineForeignReaders::aReaderFollows() {
    EngineRun run;
    const Watcher watcher(run.campaign.file);
    QVERIFY(watcher.engine->readOnly());
    QCOMPARE(watcher.engine->population()->kernels.size(), 2u);
    run.engine->send(command::AddKernel{1, "by hand", "us 42"});
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    const auto follows = [&] { return watcher.engine->population()->kernels == run.population()->kernels; };
    QTRY_VERIFY(follows());
    QVERIFY(watcher.engine->population()->kernel(3)->verdict.has_value());
    run.close(); // the writer ends: what it wrote last is there, and the reader goes on
    const int before = watcher.populations;
    QCOMPARE(sqlite3(run.campaign.file, "UPDATE campaign SET wall_seconds = 77; SELECT 1"), std::string("1\n"));
    QTRY_COMPARE(watcher.engine->population()->spend.wallSeconds, 77.0);
    QVERIFY(watcher.populations > before);
    QCOMPARE(watcher.warnings, 0);
}

void EngineForeignReaders::aReaderChangesNothing() {
    EngineRun run;
    run.world.holdEvaluations = true;
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return world.evaluating == 1; }));
    {
        Watcher watcher(run.campaign.file); // does not put the kernel in flight back in line
        watcher.engine->send(command::AddKernel{1, "by hand", "us 42"});
        QTRY_COMPARE(watcher.warnings, 1);
    }
    QCOMPARE(sqlite3(run.campaign.file, "SELECT count(*) FROM kernel WHERE state = 'evaluating'"), std::string("1\n"));
    QVERIFY(runOf(run.campaign.file).value().state == EngineState::running);
}

QTEST_APPLESS_MAIN(EngineForeignReaders)
#include "engine_foreign_readers.moc"
