// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/engine/engine.h"
#include "core/judge/folder_batch.h"
#include "core/judge/folder_job.h"

#include <QTest>
#include <csignal>
#include <mutex>

using namespace gks;

// The loop with a lane that is a folder, and the real evaluator at its other end.
class FolderLane : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void seedsGoThereAndBack();
};

namespace {

namespace fs = std::filesystem;

std::size_t resultsIn(const fs::path& folder) {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
        count += jobOfResultFile(entry.path().filename().string()) ? 1U : 0U;
    }
    return count;
}

} // namespace

void FolderLane::seedsGoThereAndBack() {
    const auto folder = TemporaryDirectory::create("folder-lane").value();
    const fs::path jobs = folder.path() / "there";
    fs::create_directories(jobs);
    const auto file = folder.path() / "sum.gks";
    CampaignSettings settings;
    settings.problem = "sum-reduction";
    settings.measureSeconds = 0.2;
    settings.budgets.evaluations = 2;
    QVERIFY(CampaignStore::create(file, settings));

    std::mutex mutex;
    std::string said;
    std::vector<std::string> shown;
    EngineOptions options;
    options.lanes = parseLanes("folder:3:" + jobs.string()).value();
    options.sink = [&](const EngineEvent& event) {
        const std::lock_guard lock(mutex);
        if (const auto* warning = std::get_if<WarningRaised>(&event)) {
            said += warning->error.message() + "\n";
        } else if (const auto* activity = std::get_if<ActivityChanged>(&event)) {
            shown.push_back(activity->lane + " " + activity->detail);
        }
    };
    const auto engine = Engine::open(file, options).value();
    engine->send(command::Start{});

    Command batch;
    batch.arguments = {GKS_BINARY_DIR "/bin/kernel-scientist-evaluator",
                       "--batch",
                       (jobs / "out").string(),
                       (jobs / "in").string(),
                       "--minutes",
                       "9"};
    auto there = ChildProcess::start(batch).value();
    QVERIFY(engine->waitUntilQuiet(500));
    QCOMPARE(::kill(there.pid(), SIGTERM), 0);
    const auto end = there.wait(std::chrono::seconds(20));
    QVERIFY(end);
    QCOMPARE(end->status.value_or(-1), 0);

    const std::lock_guard lock(mutex);
    QVERIFY2(said.empty(), said.c_str());
    const PopulationPtr population = engine->population();
    QCOMPARE(population->spend.evaluations, 2);
    std::size_t counted = 0;
    for (const KernelId id : {KernelId{1}, KernelId{2}}) {
        const auto evaluations = engine->evaluations(id).value();
        QVERIFY(!evaluations.empty());
        counted += evaluations.size(); // the best may have been confirmed
        QCOMPARE(evaluations.front().lane, std::string("folder:there"));
        QVERIFY(isAccepted(evaluations.front().verdict.kind));
        QVERIFY(!evaluations.front().verdict.measurements.front().sampleUs.empty());
        QVERIFY(engine->newestPlans(id).value() != nullptr);
    }
    QVERIFY(std::find(shown.begin(), shown.end(), "folder:there 1 job away") != shown.end());
    QCOMPARE(shown.back(), std::string("folder:there "));
    QCOMPARE(resultsIn(jobs / "in" / takenFolder), counted);
    QCOMPARE(resultsIn(jobs / "in"), std::size_t{0});
    QVERIFY(fs::is_empty(jobs / "out"));
}

QTEST_APPLESS_MAIN(FolderLane)
#include "folder_lane.moc"
