// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/campaign/database.h"
#include "core/campaign/store.h"
#include "tests/support/process_table.h"

#include <QElapsedTimer>
#include <QTest>
#include <algorithm>
#include <csignal>
#include <numeric>
#include <random>

using namespace gks;
namespace fs = std::filesystem;

// A campaign run by the real programs, of which one is killed at a random moment, again and again: the engine, the
// evaluator, the runner in turn. Nothing that was finished may be lost, the file must open, no process may be left
// behind, and the run must go on.
class EngineSurvivesKill : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void killedAtARandomMoment_data();
    void killedAtARandomMoment();
    void goesOnToTheEnd();

private:
    std::optional<TemporaryDirectory> m_folder;
    std::mt19937 m_random{std::random_device{}()};
};

namespace {

constexpr int kills = 3; // one of each victim
constexpr int patienceMs = 200'000;
constexpr int orphanPatienceMs = 30'000;

const std::string cli = std::string(GKS_BINARY_DIR) + "/bin/kernel-scientist-cli";

bool waitUntil(const std::function<bool()>& condition, int milliseconds) {
    QElapsedTimer timer;
    timer.start();
    while (!condition()) {
        if (timer.elapsed() > milliseconds) {
            return false;
        }
        ::usleep(10'000);
    }
    return true;
}

// A process that stands still is alive, and dies of nothing else; one that has ended cannot be stopped.
bool killAlive(int pid) {
    const auto stands = [&] { return test::isStopped(pid) || test::isGone(pid); };
    if (::kill(pid, SIGSTOP) != 0 || !waitUntil(stands, orphanPatienceMs) || test::isGone(pid)) {
        return false;
    }
    return ::kill(pid, SIGKILL) == 0;
}

struct Finished {
    std::map<KernelId, double> geomeanUs;
    std::map<KernelId, std::size_t> evaluations;

    std::size_t allEvaluations() const {
        return std::accumulate(evaluations.begin(), evaluations.end(), std::size_t{0},
                               [](std::size_t sum, const auto& one) { return sum + one.second; });
    }
};

// Runs the campaign and kills one program of it.
struct KilledRun {
    bool killed = false;
    std::vector<int> evaluators;
    std::string trouble; // of the engine that lives on
};

KilledRun runAndKill(const fs::path& file, const std::string& victim, useconds_t delayUs) {
    Command command;
    command.arguments = {cli, "run", file.string(), "--evaluations", "2"};
    auto engine = ChildProcess::start(command).value();
    const auto ended = [&] { return engine.wait(std::chrono::milliseconds(0)).has_value(); };
    KilledRun round;
    std::vector<int> victims = {engine.pid()};
    if (victim != "engine") { // as soon as there is one, or the engine has ended because all was measured too quickly
        const auto found = [&] { return !(victims = test::descendants(engine.pid(), victim)).empty() || ended(); };
        waitUntil(found, patienceMs);
    }
    ::usleep(delayUs);
    round.evaluators = test::descendants(engine.pid(), "kernel-scientist-evaluator");
    for (const int pid : victims) {
        round.killed = killAlive(pid) || round.killed;
    }
    const auto exit = engine.wait(std::chrono::milliseconds(patienceMs));
    const bool isVictim = exit && victim == "engine" && exit->signal == SIGKILL;
    if (!exit) {
        round.trouble = "the engine hangs";
    } else if (!isVictim && exit->status != 0 && exit->status != 3) {
        round.trouble = exit->text();
    }
    return round;
}

Finished finished(const fs::path& file) {
    const auto store = CampaignStore::open(file, CampaignStore::Access::read).value();
    Finished result;
    for (const Kernel& kernel : store->population().value()->kernels) {
        if (kernel.verdict) {
            result.geomeanUs[kernel.id] = kernel.geomeanUs;
        }
        result.evaluations[kernel.id] = store->evaluations(kernel.id).value().size();
    }
    return result;
}

} // namespace

void EngineSurvivesKill::initTestCase() {
    m_folder.emplace(TemporaryDirectory::create("survives-kill").value());
    // The folders of builds and runners lie in it, so their processes are known by their arguments.
    const fs::path temporary = m_folder->path() / "tmp";
    fs::create_directory(temporary);
    qputenv("TMPDIR", temporary.c_str());
    Command create;
    create.arguments = {
        cli, "new", (m_folder->path() / "norm.gks").string(), "--problem", "rms-norm", "--measure-seconds", "0.05"};
    const auto created = runProcess(create).value();
    QVERIFY2(created.ok(), created.error.c_str());
}

void EngineSurvivesKill::killedAtARandomMoment_data() {
    QTest::addColumn<QString>("victim");
    for (int round = 0; round < kills; ++round) {
        const char* victim = round % 3 == 0   ? "engine"
                             : round % 3 == 1 ? "kernel-scientist-evaluator"
                                              : "kernel-scientist-cpu-runner";
        QTest::addRow("%02d-%s", round, victim) << QString::fromLatin1(victim);
    }
}

void EngineSurvivesKill::killedAtARandomMoment() {
    QFETCH(QString, victim);
    const fs::path file = m_folder->path() / "norm.gks";
    const Finished before = finished(file);
    // The moment is the random input of this test; nothing waits for it. When it came too late, an earlier one follows.
    auto delayUs = static_cast<useconds_t>(m_random() % (victim == QLatin1String("engine") ? 2'000'000 : 500'000));
    KilledRun round;
    for (int tries = 0; tries < 6 && !round.killed; ++tries, delayUs /= 4) {
        round = runAndKill(file, victim.toStdString(), delayUs);
        QVERIFY2(round.trouble.empty(), round.trouble.c_str());
    }
    QVERIFY2(round.killed, "nothing was killed");
    QVERIFY(waitUntil([&] { return std::all_of(round.evaluators.begin(), round.evaluators.end(), test::isGone); },
                      patienceMs));
    std::vector<test::Process> left;
    const auto allGone = [&] { return (left = test::processesWith(m_folder->path().string())).empty(); };
    QVERIFY2(waitUntil(allGone, orphanPatienceMs), left.empty() ? "" : left.front().commandLine.c_str());

    const auto database = Database::open(file.string(), Database::Access::read).value();
    std::string integrity;
    QVERIFY(database.each("PRAGMA integrity_check", {}, [&](const Row& row) -> Result<void> {
        integrity += row.text(0);
        return {};
    }));
    QCOMPARE(integrity, std::string("ok"));
    const Finished after = finished(file);
    for (const auto& [kernel, us] : before.geomeanUs) {
        QVERIFY2(after.geomeanUs.contains(kernel), kernelLabel(kernel).c_str());
        const bool again = after.evaluations.at(kernel) > before.evaluations.at(kernel);
        QVERIFY2(after.geomeanUs.at(kernel) == us || again, kernelLabel(kernel).c_str());
    }
    for (const auto& [kernel, evaluations] : before.evaluations) {
        QVERIFY2(after.evaluations.at(kernel) >= evaluations, kernelLabel(kernel).c_str());
    }
    qInfo("%zu kernels with a verdict, %zu evaluations", after.geomeanUs.size(), after.allEvaluations());
}

void EngineSurvivesKill::goesOnToTheEnd() {
    const fs::path file = m_folder->path() / "norm.gks";
    const Finished before = finished(file);
    Command command;
    command.arguments = {cli, "run", file.string(), "--evaluations", "2"};
    const auto done = runProcess(command).value();
    QVERIFY2(done.ok(), done.error.c_str());
    QVERIFY(finished(file).allEvaluations() > before.allEvaluations());
}

QTEST_APPLESS_MAIN(EngineSurvivesKill)
#include "engine_survives_kill.moc"
