// SPDX-License-Identifier: GPL-3.0-or-later
// Libraries that the pack names: measured once, beside the baseline, when the seeds are judged.
#include "core/campaign/anchors.h"
#include "tests/support/engine_fakes.h"

#include <QTest>
#include <algorithm>

using namespace gks;
using namespace gks::test;

namespace {

AnchorSpec specOf(std::string name, std::string target = "nvidia") {
    AnchorSpec anchor;
    anchor.name = std::move(name);
    anchor.title = "a library";
    anchor.target = std::move(target);
    anchor.lacks = "nothing much";
    return anchor;
}

void onACard(CampaignSettings& settings) {
    settings.target = TargetKind::nvidia;
}

std::vector<std::string> anchorsAsked(EngineRun& run) {
    std::vector<std::string> asked;
    run.world.set([&](FakeWorld& world) {
        for (const EvaluationRequest& request : world.requests) {
            if (!request.anchor.empty()) {
                asked.push_back(request.anchor);
            }
        }
    });
    return asked;
}

} // namespace

class EngineAnchors : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void measuredOnceAfterTheSeeds() {
        EngineRun run(ScientistKind::tuner, 1, onACard);
        run.world.anchors = {specOf("cublaslt"), specOf("hipblaslt", "amd")};
        run.world.rounds = {{proposal(1, "a")}};
        run.world.drafts = {{"a", {"us 90"}}};
        run.engine->send(command::Start{});
        QVERIFY(run.quiet());
        QCOMPARE(anchorsAsked(run), std::vector<std::string>{"cublaslt"});
        const EvaluationRequest& request = run.world.requests.at(2); // behind both seeds
        QCOMPARE(request.anchor, std::string("cublaslt"));
        QCOMPARE(request.source, std::string());
        QCOMPARE(*request.baseline, run.kernel(1).source);
        const auto population = run.population();
        QCOMPARE(population->anchors.size(), std::size_t{1});
        const AnchorFigure& anchor = population->anchors.front();
        QCOMPARE(anchor.name, std::string("cublaslt"));
        QCOMPARE(anchor.lacks, std::string("nothing much"));
        QCOMPARE(anchor.lane, std::string("nvidia:0"));
        QVERIFY(isMeasured(anchor) && anchor.speedup > 0);
        // It is no evaluation, no kernel and no finding: two seeds and one draft were.
        QCOMPARE(population->spend.evaluations, 3);
        QCOMPARE(population->kernels.size(), std::size_t{3});
        QVERIFY(population->best == KernelId{3});
        run.close(); // and not once more by the next run
        run.open();
        run.engine->send(command::Start{});
        QVERIFY(run.quiet());
        QCOMPARE(anchorsAsked(run).size(), std::size_t{1});
    }

    // What is missing is said, and not tried again.
    void aMissingLibraryIsAFigure() {
        EngineRun run(ScientistKind::tuner, 1, onACard);
        run.world.anchors = {specOf("cublaslt")};
        run.world.missingAnchors = {"cublaslt"};
        run.engine->send(command::Start{});
        QVERIFY(run.quiet());
        QCOMPARE(anchorsAsked(run).size(), std::size_t{1});
        QCOMPARE(run.population()->anchors.size(), std::size_t{1});
        QVERIFY(!isMeasured(run.population()->anchors.front()));
        QCOMPARE(run.population()->anchors.front().reason, std::string("libX.so is not installed here"));
        QVERIFY(run.population()->settings.lanesOut.empty());
        QVERIFY(run.population()->best == KernelId{1} || run.population()->best == KernelId{2});
    }

    // A campaign of another target has no use for it; nor has one whose baseline is not right.
    void onlyOnItsTarget() {
        EngineRun run;
        run.world.anchors = {specOf("cublaslt")};
        run.engine->send(command::Start{});
        QVERIFY(run.quiet());
        QVERIFY(anchorsAsked(run).empty() && run.population()->anchors.empty());
    }

    void budgetOfEvaluationsIsTheKernels() {
        EngineRun run(ScientistKind::tuner, 1, [](CampaignSettings& settings) {
            onACard(settings);
            settings.budgets.evaluations = 3;
        });
        run.world.anchors = {specOf("one"), specOf("two")};
        run.world.rounds = {{proposal(1, "a")}};
        run.world.drafts = {{"a", {"us 90"}}};
        run.engine->send(command::Start{});
        QVERIFY(run.quiet());
        QCOMPARE(anchorsAsked(run), (std::vector<std::string>{"one", "two"}));
        QCOMPARE(run.population()->spend.evaluations, 3);
        QVERIFY(run.population()->best == KernelId{3}); // the draft was paid for
    }
};

QTEST_APPLESS_MAIN(EngineAnchors)
#include "engine_anchors.moc"
