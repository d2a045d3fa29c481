// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/target/target.h"

#include <QTest>
#include <atomic>
#include <thread>

using namespace gks;

namespace {

namespace fs = std::filesystem;

BuildPlan planIn(const fs::path& folder, const std::string& identity) {
    BuildPlan plan;
    plan.key = sha256Hex(identity);
    plan.hostModule = folder / "host.so";
    plan.codeObject = folder / "kernel.co";
    plan.notesText = folder / "notes.txt";
    plan.disassembly = folder / "disassembly.txt";
    return plan;
}

void fill(const BuildPlan& plan, const std::string& content) {
    for (const auto* path : {&plan.hostModule, &plan.codeObject, &plan.notesText, &plan.disassembly}) {
        QVERIFY(writeFileAtomically(*path, path->filename().string() + content).has_value());
    }
}

fs::path entryOf(const fs::path& cache, const BuildPlan& plan) {
    return cache / plan.key.substr(0, 2) / plan.key;
}

} // namespace

class TargetBuildCacheTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_cache.emplace(*TemporaryDirectory::create("gks-cache"));
        m_from.emplace(*TemporaryDirectory::create("gks-from"));
        m_to.emplace(*TemporaryDirectory::create("gks-to"));
    }

    void whatWasStoredComesBack() {
        const BuildCache cache(m_cache->path());
        const BuildPlan plan = planIn(m_from->path(), "one");
        fill(plan, " content");
        cache.store(plan, "warning: something");
        const BuildPlan later = planIn(m_to->path(), "one");
        std::string log;
        QVERIFY(cache.restore(later, log));
        QCOMPARE(log, std::string("warning: something"));
        QCOMPARE(*readFile(later.hostModule), std::string("host.so content"));
        QCOMPARE(*readFile(later.disassembly), std::string("disassembly.txt content"));
        QVERIFY(!cache.restore(planIn(m_to->path(), "two"), log));
    }

    void aBuildWithoutReportComesBackWithoutIt() {
        const BuildCache cache(m_cache->path());
        const BuildPlan plan = planIn(m_from->path(), "one");
        QVERIFY(writeFileAtomically(plan.hostModule, "module").has_value());
        cache.store(plan, "");
        std::string log;
        const BuildPlan later = planIn(m_to->path(), "one");
        QVERIFY(cache.restore(later, log));
        QVERIFY(fs::exists(later.hostModule));
        QVERIFY(!fs::exists(later.notesText));
    }

    void damagedEntriesAreBuiltAgain_data() {
        QTest::addColumn<QByteArray>("file");
        for (const char* file : {"host.so", "notes.txt", "manifest"}) {
            QTest::newRow(file) << QByteArray(file);
        }
    }
    void damagedEntriesAreBuiltAgain() {
        QFETCH(QByteArray, file);
        const BuildCache cache(m_cache->path());
        const BuildPlan plan = planIn(m_from->path(), "one");
        fill(plan, "");
        cache.store(plan, "");
        QVERIFY(writeFileAtomically(entryOf(m_cache->path(), plan) / file.toStdString(), "cut").has_value());
        std::string log;
        QVERIFY(!cache.restore(planIn(m_to->path(), "one"), log));
        QVERIFY(!fs::exists(m_to->path() / "host.so"));
    }

    void keysThatAreNoHashesTouchNothing() {
        const BuildCache cache(m_cache->path() / "inner");
        BuildPlan plan = planIn(m_from->path(), "one");
        fill(plan, "");
        plan.key = "../../outside";
        cache.store(plan, "");
        std::string log;
        QVERIFY(!cache.restore(plan, log));
        QVERIFY(fs::is_empty(m_cache->path()));
    }

    void theOldestUseGoesFirst() {
        const BuildCache cache(m_cache->path(), 35000);
        const std::string content(2500, 'x'); // four files: a little over 10000 bytes an entry
        std::vector<BuildPlan> plans;
        for (int i = 0; i < 3; ++i) {
            plans.push_back(planIn(m_from->path(), std::to_string(i)));
            fill(plans.back(), content);
            cache.store(plans.back(), "");
            const auto when = fs::file_time_type::clock::now() - std::chrono::hours(10 - i);
            fs::last_write_time(entryOf(m_cache->path(), plans.back()), when);
        }
        std::string log;
        QVERIFY(cache.restore(planIn(m_to->path(), "0"), log)); // the first is now the one used last
        const BuildPlan fourth = planIn(m_from->path(), "3");
        cache.store(fourth, "");
        QVERIFY(fs::exists(entryOf(m_cache->path(), plans[0])));
        QVERIFY(!fs::exists(entryOf(m_cache->path(), plans[1])));
        QVERIFY(fs::exists(entryOf(m_cache->path(), plans[2])));
        QVERIFY(fs::exists(entryOf(m_cache->path(), fourth)));
    }

    // Threads stand for processes here: nothing is shared but the folder. The limit is small, so that entries also
    // vanish under readers.
    void manyAtOnceSeeWholeBuildsOrNone() {
        std::atomic<int> restored = 0;
        std::atomic<int> broken = 0;
        const auto work = [&](int worker) {
            const auto folder = TemporaryDirectory::create("gks-worker");
            const BuildCache cache(m_cache->path(), 40000);
            for (int round = 0; round < 60; ++round) {
                const std::string identity = std::to_string((round * 7 + worker) % 6);
                const BuildPlan plan = planIn(folder->path(), identity);
                std::string log;
                if (cache.restore(plan, log)) {
                    ++restored;
                    const std::string expected = "host.so" + identity + std::string(2000, 'm');
                    broken += readFile(plan.hostModule).value_or("") != expected || log != "log " + identity ? 1 : 0;
                } else {
                    fill(plan, identity + std::string(2000, 'm'));
                    cache.store(plan, "log " + identity);
                }
            }
        };
        {
            std::vector<std::jthread> workers;
            for (int worker = 0; worker < 4; ++worker) {
                workers.emplace_back(work, worker);
            }
        }
        QVERIFY(restored > 0);
        QCOMPARE(broken.load(), 0);
        for (const auto& entry : fs::directory_iterator(m_cache->path())) {
            QVERIFY(!entry.path().filename().string().starts_with("tmp-"));
        }
    }

private:
    std::optional<TemporaryDirectory> m_cache;
    std::optional<TemporaryDirectory> m_from;
    std::optional<TemporaryDirectory> m_to;
};

QTEST_APPLESS_MAIN(TargetBuildCacheTest)
#include "target_build_cache.moc"
