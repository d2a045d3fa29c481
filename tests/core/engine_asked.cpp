// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/asked_comparison.h"
#include "tests/support/engine_fakes.h"

#include <QTest>
#include <algorithm>

using namespace gks;
using namespace gks::test;

namespace {

std::size_t waiting(const EngineRun& run) {
    return run.population()->settings.askedComparisons.size();
}

std::vector<AskedResult> resultsOf(const EngineRun& run, KernelId kernel) {
    return askedResults(run.engine->evaluations(kernel).value());
}

void openAsTheWindow(EngineRun& run) {
    run.close();
    run.world.measuresWhenAsked = true;
    run.open();
}

} // namespace

// What a person wants measured by hand: two kernels side by side, and a kernel of their own.
class EngineAsked : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void afterThePersonAndBeforeTheModel();
    void itStandsBesideTheVerdict();
    void allShapesOfACard_data();
    void allShapesOfACard();
    void aKillLosesNothing();
    void noBudgetPaysForIt();
    void measuredWhileTheCampaignStands();
    void ownKernelsAreEvaluatedWhileItStands();
    void ofANewCampaignWhatItIsComparedWithComesFirst();
    void noBudgetKeepsOwnKernelsWaiting();
    void evaluatedAgainWhileItStands();
    void stopLeavesAnOwnKernelWaiting();
    void aKernelThatCannotBeTakenSaysWhy();
    void waitsForARunWithoutAWindow();
    void aStartWhileItIsMeasuredIsARun();
    void stopLeavesItWaiting();
    void isTakenBack();
    void aLaneIsNotToBlame();
    void kernelsThatHaveFailedAreLetGo();
};

// The first seed, then a person's kernel, then the comparison, then what a model wrote.
void EngineAsked::afterThePersonAndBeforeTheModel() {
    EngineRun run(ScientistKind::model);
    run.world.rounds = {{proposal(1, "z")}};
    run.world.drafts = {{"z", {"us 99"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    run.world.set([](FakeWorld& world) {
        world.requests.clear();
        world.rounds = {{proposal(1, "a")}};
        world.drafts = {{"a", {"us 50"}}};
        world.holdEvaluations = true;
    });
    run.engine->send(command::AddKernel{1, "mine", "us 90"});
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) {
        return world.evaluating == 1 && std::ranges::find(world.asked, "write a") != world.asked.end();
    }));
    QTRY_COMPARE(run.population()->kernels.size(), std::size_t{5}); // the draft waits for the lane
    run.engine->send(command::MeasureSideBySide{2, 1});
    run.engine->send(command::AddKernel{1, "another", "us 95"});
    QTRY_COMPARE(run.population()->kernels.size(), std::size_t{6});
    run.world.set([](FakeWorld& world) { world.holdEvaluations = false; });
    QVERIFY(run.quiet());
    // 4 is the person's, 5 the model's, 6 the person's again; 2 is measured beside 1.
    const std::string order = run.order();
    QVERIFY2(order.starts_with("00004 00006 00002 00005"), order.c_str());
    QCOMPARE(waiting(run), std::size_t{0});
    QCOMPARE(resultsOf(run, 2).size(), std::size_t{1}); // once
    QVERIFY(run.didSteer("measure side by side") && run.didSteer("side by side"));
}

void EngineAsked::itStandsBesideTheVerdict() {
    EngineRun run;
    run.world.rounds = {{proposal(1, "a"), proposal(1, "b")}};
    run.world.drafts = {{"a", {"us 50"}}, {"b", {"us 40"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    const Kernel before = run.kernel(3);
    const std::size_t findings = run.population()->findings.size();
    const auto direct = run.population()->scale->directComparisons(3, 1);
    run.engine->send(command::MeasureSideBySide{3, 1, false});
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    const auto results = resultsOf(run, 3);
    QCOMPARE(results.size(), std::size_t{1});
    QCOMPARE(results[0].asked, (AskedComparison{3, 1, false}));
    QCOMPARE(results[0].fact.ratio, 2.0);
    QCOMPARE(askedResultText(results[0]), std::string("faster 2.00x [1.98, 2.02] (side by side with 00001)"));
    QVERIFY(run.kernel(3).verdict == before.verdict && run.kernel(3).versusParent == before.versusParent);
    QCOMPARE(run.kernel(3).evaluations, before.evaluations + 1);
    QCOMPARE(run.population()->scale->directComparisons(3, 1), direct + 1);
    QCOMPARE(run.population()->findings.size(), findings); // it teaches nothing of an experiment
}

void EngineAsked::allShapesOfACard_data() {
    QTest::addColumn<TargetKind>("target");
    QTest::addColumn<ShapeChoice>("ofCampaign");
    QTest::addColumn<bool>("all");
    QTest::addColumn<ShapeChoice>("measured");
    using enum ShapeChoice;
    QTest::newRow("all of a card") << TargetKind::nvidia << quick << true << benchmark;
    QTest::newRow("its own of a card") << TargetKind::nvidia << quick << false << quick;
    QTest::newRow("more than all benchmark shapes") << TargetKind::amd << all << true << all;
    QTest::newRow("a CPU has one set") << TargetKind::cpu << quick << true << quick;
}

void EngineAsked::allShapesOfACard() {
    QFETCH(TargetKind, target);
    QFETCH(ShapeChoice, ofCampaign);
    QFETCH(bool, all);
    QFETCH(ShapeChoice, measured);
    EngineRun run(ScientistKind::tuner, 1, [&](CampaignSettings& settings) {
        settings.shapes = ofCampaign;
        settings.target = target;
    });
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    run.engine->send(command::MeasureSideBySide{2, 1, all});
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    const EvaluationRequest& request = run.world.requests.back();
    QCOMPARE(request.shapes, measured);
    QCOMPARE(request.source, run.kernel(2).source);
    QVERIFY(request.baseline == run.kernel(1).source && !request.counters);
    QCOMPARE(resultsOf(run, 2).at(0).asked.allShapes, all);
}

void EngineAsked::aKillLosesNothing() {
    EngineRun run;
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    run.engine->send(command::MeasureSideBySide{2, 1});
    QVERIFY(run.quiet());
    run.world.set([](FakeWorld& world) { world.holdEvaluations = true; });
    run.engine->send(command::Start{});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return world.evaluating == 1; }));
    run.close(); // kills what is in flight
    run.world.set([](FakeWorld& world) { world.holdEvaluations = false; });
    run.open();
    QCOMPARE(waiting(run), std::size_t{1});
    QCOMPARE(resultsOf(run, 2).size(), std::size_t{0});
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(waiting(run), std::size_t{0});
    QCOMPARE(resultsOf(run, 2).size(), std::size_t{1});
    const std::size_t evaluations = run.world.requests.size();
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(run.world.requests.size(), evaluations); // carried out once
}

void EngineAsked::noBudgetPaysForIt() {
    EngineRun run(ScientistKind::tuner, 1, [](CampaignSettings& settings) { settings.budgets.evaluations = 2; });
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(run.population()->spend.evaluations, 2);
    run.engine->send(command::MeasureSideBySide{2, 1});
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(resultsOf(run, 2).size(), std::size_t{1});
    QCOMPARE(run.population()->spend.evaluations, 2);
    QCOMPARE(run.lastReason(), std::string("evaluation budget reached (2)"));
}

void EngineAsked::measuredWhileTheCampaignStands() {
    EngineRun run(ScientistKind::model);
    openAsTheWindow(run);
    run.engine->send(command::Step{});
    QVERIFY(run.quiet());
    const EngineState before = run.engine->state();
    const std::size_t asked = run.world.asked.size();
    run.world.set([](FakeWorld& world) {
        world.rounds = {{proposal(1, "a")}};
        world.drafts = {{"a", {"us 50"}}};
    });
    run.engine->send(command::MeasureSideBySide{2, 1});
    run.engine->send(command::MeasureSideBySide{1, 2});
    QVERIFY(run.quiet());
    QCOMPARE(waiting(run), std::size_t{0});
    QCOMPARE(resultsOf(run, 2).size() + resultsOf(run, 1).size(), std::size_t{2});
    QVERIFY(run.engine->state() == before);
    QCOMPARE(run.lastReason(), std::string("measured side by side"));
    QCOMPARE(run.world.asked.size(), asked); // no model was
}

void EngineAsked::ownKernelsAreEvaluatedWhileItStands() {
    EngineRun run(ScientistKind::model);
    openAsTheWindow(run);
    run.engine->send(command::Step{});
    QVERIFY(run.quiet());
    const EngineState before = run.engine->state();
    const std::size_t asked = run.world.asked.size();
    run.world.set([](FakeWorld& world) {
        world.rounds = {{proposal(1, "a")}};
        world.drafts = {{"a", {"us 50"}}};
        world.requests.clear();
    });
    run.engine->send(command::AddKernel{1, "mine", "us 90"});
    QVERIFY(run.quiet());
    QCOMPARE(run.order(), std::string("00003"));
    QVERIFY(run.kernel(3).verdict == VerdictKind::faster);
    QVERIFY(run.engine->state() == before);
    QCOMPARE(run.lastReason(), std::string("kernel 00003 evaluated"));
    QCOMPARE(run.world.asked.size(), asked); // no model was
    run.engine->send(command::AddKernel{3, "another", "wrong"});
    run.engine->send(command::AddKernel{3, "and one", "us 80"});
    QVERIFY(run.quiet());
    QCOMPARE(run.order(), std::string("00003 00004 00005"));
    QVERIFY(run.kernel(4).verdict == VerdictKind::wrong);
}

// The second seed is nobody's wish.
void EngineAsked::ofANewCampaignWhatItIsComparedWithComesFirst() {
    EngineRun run;
    openAsTheWindow(run);
    run.engine->send(command::AddKernel{1, "mine", "us 90"});
    QVERIFY(run.quiet());
    QCOMPARE(run.order(), std::string("00001 00003"));
    QVERIFY(run.kernel(2).state == KernelState::waiting);
    QVERIFY(run.engine->state() == EngineState::idle);
    QVERIFY(run.kernel(3).verdict == VerdictKind::faster); // than its parent, so it was compared
}

void EngineAsked::noBudgetKeepsOwnKernelsWaiting() {
    EngineRun run(ScientistKind::tuner, 1, [](CampaignSettings& settings) { settings.budgets.evaluations = 2; });
    openAsTheWindow(run);
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(run.population()->spend.evaluations, 2);
    run.engine->send(command::AddKernel{1, "mine", "us 90"});
    QVERIFY(run.quiet());
    QVERIFY(run.kernel(3).verdict == VerdictKind::faster);
    QCOMPARE(run.population()->spend.evaluations, 3);
}

void EngineAsked::evaluatedAgainWhileItStands() {
    EngineRun run;
    openAsTheWindow(run);
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    const std::size_t evaluations = run.world.requests.size();
    run.engine->send(command::EvaluateAgain{2});
    QVERIFY(run.quiet());
    QCOMPARE(run.world.requests.size(), evaluations + 1);
    QVERIFY(run.kernel(2).state == KernelState::evaluated);
    QCOMPARE(run.lastReason(), std::string("kernel 00002 evaluated"));
}

void EngineAsked::stopLeavesAnOwnKernelWaiting() {
    EngineRun run;
    openAsTheWindow(run);
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    run.world.set([](FakeWorld& world) { world.holdEvaluations = true; });
    run.engine->send(command::AddKernel{1, "mine", "us 90"});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return world.evaluating == 1; }));
    run.engine->send(command::Stop{});
    QVERIFY(run.quiet());
    QVERIFY(run.engine->state() == EngineState::idle);
    QVERIFY(run.kernel(3).state == KernelState::waiting);
    QVERIFY(!run.kernel(3).verdict);
}

void EngineAsked::aKernelThatCannotBeTakenSaysWhy() {
    EngineRun run(ScientistKind::model, 1, [](CampaignSettings& settings) { settings.policies.checkCode = true; });
    openAsTheWindow(run);
    run.world.rounds = {{proposal(1, "a")}};
    run.world.drafts = {{"a", {"us 50"}}};
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QVERIFY(run.kernel(3).state == KernelState::proposed);
    run.engine->send(command::AddKernel{3, "mine", "us 40"});
    QVERIFY(run.quiet());
    QVERIFY(run.kernel(4).state == KernelState::waiting);
    QCOMPARE(run.lastReason(), std::string("kernel 00004 waits for the verdict on kernel 00003"));
}

void EngineAsked::waitsForARunWithoutAWindow() {
    EngineRun run;
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    const std::size_t evaluations = run.world.requests.size();
    run.engine->send(command::MeasureSideBySide{2, 1});
    QVERIFY(run.quiet());
    QCOMPARE(run.world.requests.size(), evaluations);
    QCOMPARE(waiting(run), std::size_t{1});
}

void EngineAsked::aStartWhileItIsMeasuredIsARun() {
    EngineRun run;
    openAsTheWindow(run);
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    run.world.set([](FakeWorld& world) {
        world.rounds = {{proposal(1, "a")}};
        world.drafts = {{"a", {"us 50"}}};
        world.holdEvaluations = true;
    });
    run.engine->send(command::MeasureSideBySide{2, 1});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return world.evaluating == 1; }));
    run.engine->send(command::Start{});
    run.world.set([](FakeWorld& world) { world.holdEvaluations = false; });
    QVERIFY(run.quiet());
    QCOMPARE(run.population()->kernels.size(), std::size_t{3});
    QCOMPARE(resultsOf(run, 2).size(), std::size_t{1});
}

void EngineAsked::stopLeavesItWaiting() {
    EngineRun run;
    openAsTheWindow(run);
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    run.world.set([](FakeWorld& world) { world.holdEvaluations = true; });
    run.engine->send(command::MeasureSideBySide{2, 1});
    QVERIFY(run.world.waitFor([](const FakeWorld& world) { return world.evaluating == 1; }));
    run.engine->send(command::Stop{});
    QVERIFY(run.quiet());
    QVERIFY(run.engine->state() == EngineState::idle);
    QCOMPARE(waiting(run), std::size_t{1});
    QVERIFY(run.kernel(2).state == KernelState::evaluated); // it has a verdict
}

void EngineAsked::isTakenBack() {
    EngineRun run;
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    run.engine->send(command::MeasureSideBySide{2, 1});
    run.engine->send(command::MeasureSideBySide{2, 1}); // refused
    run.engine->send(command::MeasureSideBySide{2, 1, false});
    run.engine->send(command::UnaskComparison{2, 1});
    QVERIFY(run.quiet());
    QCOMPARE(run.population()->settings.askedComparisons, (std::vector<AskedComparison>{{2, 1, false}}));
    QCOMPARE(run.warnings().size(), std::size_t{1});
    QVERIFY(run.didSteer("take back side by side"));
}

// Kernels of a person's choice may be such that they cannot be compared: the request ends, not the lane.
void EngineAsked::aLaneIsNotToBlame() {
    EngineRun run;
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    run.engine->send(command::MeasureSideBySide{2, 1});
    run.world.set([](FakeWorld& world) { world.lostEvaluations = 1; });
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(resultsOf(run, 2).size(), std::size_t{1}); // tried once more
    run.engine->send(command::MeasureSideBySide{2, 1});
    run.world.set([](FakeWorld& world) { world.lostEvaluations = 2; });
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(waiting(run), std::size_t{0});
    const auto lines = run.engine->steering().value();
    QVERIFY(std::any_of(lines.begin(), lines.end(), [](const Steering& line) {
        return line.detail == "00002 and 00001, all shapes: not measured: the evaluator was lost";
    }));
    QVERIFY(run.population()->settings.lanesOut.empty());
    QVERIFY(run.kernel(2).verdict && isAccepted(*run.kernel(2).verdict));
}

void EngineAsked::kernelsThatHaveFailedAreLetGo() {
    EngineRun run;
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    run.engine->send(command::MeasureSideBySide{2, 1});
    QVERIFY(run.quiet());
    run.close();
    {
        const auto store = CampaignStore::open(run.campaign.file).value();
        Evaluation wrong = sampleEvaluation(2, 100);
        wrong.verdict = failedVerdict(VerdictKind::wrong, "after all");
        QVERIFY(store->addEvaluation(wrong));
    }
    run.open();
    const std::size_t evaluations = run.world.requests.size();
    run.engine->send(command::Start{});
    QVERIFY(run.quiet());
    QCOMPARE(waiting(run), std::size_t{0});
    QCOMPARE(run.world.requests.size(), evaluations);
    QVERIFY(run.didSteer("side by side"));
}

QTEST_APPLESS_MAIN(EngineAsked)
#include "engine_asked.moc"
