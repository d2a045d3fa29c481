// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/scheduler.h"
#include "core/llm/chat.h"

#include <QTest>
#include <algorithm>

using namespace gks;

namespace {

// A campaign of a model whose two seeds are measured, with what is in flight.
struct Table {
    Population population;
    Structures structures;
    std::vector<ScientistCall> calls;
    std::size_t callLimit = 3;
    std::size_t lanes = 1;
    std::size_t evaluating = 1;
    CallPrice dearest;
    Pace pace;
    bool selected = false;

    Table() {
        population.settings.scientist = ScientistKind::model;
        population.baseline = 1;
        kernel(Author::seed).verdict = VerdictKind::correct;
        kernel(Author::seed).verdict = VerdictKind::correct;
        kernel(Author::model).verdict = VerdictKind::faster; // of an earlier round
        population.kernels.editEach([](Kernel& judged) { judged.state = KernelState::evaluated; });
    }
    Kernel& kernel(Author author) {
        Kernel one;
        one.id = static_cast<KernelId>(population.kernels.size()) + 1;
        one.author = author;
        one.state = KernelState::waiting;
        population.kernels.push_back(one);
        return population.kernels.editBack();
    }
    Experiment& experiment(ExperimentState state, Author author = Author::model) {
        Experiment one;
        one.id = static_cast<ExperimentId>(population.experiments.size()) + 1;
        one.position = one.id;
        one.round = 1;
        one.parent = 1;
        one.pick = "most certain";
        one.author = author;
        one.state = state;
        population.experiments.push_back(one);
        return population.experiments.editBack();
    }
    std::optional<ScientistCall> next() {
        structures.follow(std::make_shared<const Population>(population));
        return nextCall({.population = population,
                         .structures = structures,
                         .lanes = lanes,
                         .freeLanes = lanes - std::min(lanes, evaluating),
                         .evaluating = evaluating,
                         .underWay = {calls},
                         .callLimit = callLimit,
                         .dearestCall = dearest,
                         .pace = pace,
                         .selected = selected});
    }
    // What is started until nothing more is: "write 1, select, write 2".
    std::string started() {
        std::string text;
        for (auto call = next(); call; call = next()) {
            calls.push_back(*call);
            const std::string task = call->task == CallTask::select   ? "select"
                                     : call->task == CallTask::design ? "design"
                                     : call->task == CallTask::write  ? "write"
                                                                      : "repair";
            text += (text.empty() ? "" : ", ") + task;
            if (call->experiment) {
                text += " " + std::to_string(*call->experiment);
                population.experiments.edit(static_cast<std::size_t>(*call->experiment) - 1).state =
                    ExperimentState::writing;
            }
        }
        return text;
    }
};

} // namespace

// What is started, as values: no thread, no file.
class EngineScheduler : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void oneCallAtATimeDraftsFirst();
    void roundIsWrittenAtOnceAndTheNextOnePlanned();
    void planningComesWhenTheLanesNeedIt_data();
    void planningComesWhenTheLanesNeedIt();
    void planningComesBeforeWhatCanWait();
    void planningWaitsForWhoeverDecides();
    void codeToBeApprovedIsNotTaken();
    void planningWaitsForNewStructures();
    void draftsStayAFewAheadOfTheLanes();
    void noMoreDraftsThanEvaluations();
    void draftsOfOneExperimentGoTogether();
    void severalDraftsTakeSeveralEvaluations();
    void whatIsNotScreenedIsNotTaken();
    void repairsComeBeforeTheNextRound();
    void nothingIsPlannedOnNothing();
    void repairRunsBesideOthers();
    void personIsAskedOneThingAtATime();
    void personsExperimentComesBeforeAPlan();
    void budgetHasRoomForAllInFlight();
    void lanesTakeThePersonsWorkFirst();
};

void EngineScheduler::oneCallAtATimeDraftsFirst() {
    Table table;
    table.callLimit = 1;
    table.experiment(ExperimentState::approved);
    table.experiment(ExperimentState::approved);
    QCOMPARE(table.started(), std::string("write 1"));
    table.calls.clear();
    table.kernel(Author::model);
    QCOMPARE(table.started(), std::string()); // the lane has one to take
    table.population.kernels.resize(table.population.kernels.size() - 1);
    QCOMPARE(table.started(), std::string("write 2"));
    table.calls.clear();
    QCOMPARE(table.started(), std::string("select"));
}

void EngineScheduler::roundIsWrittenAtOnceAndTheNextOnePlanned() {
    Table table;
    for (int i = 0; i < 3; ++i) {
        table.experiment(ExperimentState::approved);
    }
    QCOMPARE(table.started(), std::string("write 1, write 2, write 3"));
    table.calls.erase(table.calls.begin()); // the first draft is with the lane
    QCOMPARE(table.started(), std::string("select"));
    table.calls.erase(table.calls.begin());
    QCOMPARE(table.started(), std::string()); // one plan at a time
    table.calls.pop_back();
    table.selected = true;
    QCOMPARE(table.started(), std::string("design"));
}

void EngineScheduler::planningComesWhenTheLanesNeedIt_data() {
    QTest::addColumn<double>("evaluation");
    QTest::addColumn<bool>("plans");
    QTest::newRow("not known") << 0.0 << true;
    QTest::newRow("lanes are as fast") << 37.0 << true;
    QTest::newRow("lanes are slow") << 38.0 << false;
}

// Three drafts wait or are being written; a plan and a draft take 90 s, and a quarter more is allowed for.
void EngineScheduler::planningComesWhenTheLanesNeedIt() {
    QFETCH(double, evaluation);
    QFETCH(bool, plans);
    Table table;
    table.pace = {60, 30, evaluation};
    table.callLimit = 4;
    table.kernel(Author::model);
    table.calls = {{CallTask::write, 1}, {CallTask::write, 2}};
    QCOMPARE(table.next() == (ScientistCall{CallTask::select, {}}), plans);
}

void EngineScheduler::planningComesBeforeWhatCanWait() {
    Table table;
    table.pace = {60, 30, 20};
    for (int i = 0; i < 4; ++i) {
        table.experiment(ExperimentState::approved);
    }
    table.calls = {{CallTask::write, 9}}; // a lane has one ahead, and enough is approved
    QVERIFY(table.next() == (ScientistCall{CallTask::write, 1}));
    table.population.experiments.resize(table.population.experiments.size() - 1);
    table.population.experiments.resize(table.population.experiments.size() - 1);
    QVERIFY(table.next() == (ScientistCall{CallTask::select, {}}));
    table.calls.clear(); // no draft on its way: it comes first
    QVERIFY(table.next() == (ScientistCall{CallTask::write, 1}));
}

void EngineScheduler::planningWaitsForWhoeverDecides() {
    Table table;
    table.population.settings.mode = Mode::approveExperiments;
    table.experiment(ExperimentState::proposed);
    QVERIFY(!table.next());
    table.population.experiments.editFront().state = ExperimentState::rejected;
    QVERIFY(table.next() == (ScientistCall{CallTask::select, {}}));
}

void EngineScheduler::codeToBeApprovedIsNotTaken() {
    Table table;
    Kernel& draft = table.kernel(Author::model);
    draft.state = KernelState::proposed;
    const KernelId id = draft.id;
    table.experiment(ExperimentState::approved);
    QVERIFY(nextKernel(table.population) == nullptr);
    QCOMPARE(table.started(), std::string("write 1")); // and no next round
    table.population.settings.budgets.evaluations = 2;
    table.calls.clear();
    table.population.experiments.editFront().state = ExperimentState::approved;
    QCOMPARE(table.started(), std::string()); // the draft may take the one that is left
    table.population.kernels.editBack().state = KernelState::declined;
    QVERIFY(nextKernel(table.population) == nullptr);
    table.population.kernels.editBack().state = KernelState::waiting;
    const Kernel* next = nextKernel(table.population);
    QVERIFY(next != nullptr && next->id == id);
}

void EngineScheduler::planningWaitsForNewStructures() {
    Table table;
    table.population.settings.policies.tuningEvaluations = 5;
    table.experiment(ExperimentState::writing);
    table.calls = {{CallTask::write, 1}};
    QVERIFY(!table.next());
    table.calls.clear();
    table.population.experiments.clear();
    QVERIFY(table.next().has_value());
}

void EngineScheduler::draftsStayAFewAheadOfTheLanes() {
    Table table;
    for (int i = 0; i < 6; ++i) {
        table.experiment(ExperimentState::approved);
    }
    table.kernel(Author::model);
    table.kernel(Author::model);
    QCOMPARE(table.started(), std::string("write 1"));
    table.calls.clear();
    table.pace = {60, 30, 20};
    table.population.experiments.resize(2);
    table.kernel(Author::model); // three wait, and what is approved can wait too
    QCOMPARE(table.started(), std::string("select"));
}

void EngineScheduler::noMoreDraftsThanEvaluations() {
    Table table;
    table.population.settings.budgets.evaluations = 5;
    table.population.spend.evaluations = 2;
    for (int i = 0; i < 6; ++i) {
        table.experiment(ExperimentState::approved);
    }
    QCOMPARE(table.started(), std::string("write 1, write 2")); // one is being evaluated
}

void EngineScheduler::draftsOfOneExperimentGoTogether() {
    Table table;
    table.population.settings.policies.drafts = 2;
    table.experiment(ExperimentState::approved);
    table.experiment(ExperimentState::approved);
    QCOMPARE(table.started(), std::string("write 1, write 1, write 2"));
    table.calls = {table.calls[2]};
    for (int draft = 0; draft < 2; ++draft) {
        Kernel& failed = table.kernel(Author::model);
        failed.experiment = 1;
        failed.verdict = VerdictKind::wrong;
        failed.state = KernelState::evaluated;
    }
    table.population.experiments.editFront().state = ExperimentState::approved;
    QCOMPARE(table.started(), std::string("repair 1, write 2"));
    const Kernel* failed = failedDraft(table.population, table.population.experiments.front());
    QVERIFY(failed == nullptr); // it is being repaired
}

void EngineScheduler::severalDraftsTakeSeveralEvaluations() {
    Table table;
    table.population.settings.policies.drafts = 3;
    table.population.settings.budgets.evaluations = 5;
    table.population.spend.evaluations = 2;
    table.experiment(ExperimentState::approved);
    QCOMPARE(table.started(), std::string("write 1, write 1")); // one is being evaluated
}

void EngineScheduler::whatIsNotScreenedIsNotTaken() {
    Table table;
    const KernelId first = table.kernel(Author::model).id;
    const KernelId second = table.kernel(Author::model).id;
    QCOMPARE(nextKernel(table.population, {first})->id, second);
    QVERIFY(nextKernel(table.population, {first, second}) == nullptr);
    QCOMPARE(nextToScreen(table.population, {second})->id, second);
    table.population.kernels.editBack().state = KernelState::screening;
    QVERIFY(nextToScreen(table.population, {second}) == nullptr);
    QVERIFY(lanesAreFed(table.population, 2, 0)); // both are on their way
}

void EngineScheduler::repairsComeBeforeTheNextRound() {
    Table table;
    table.population.settings.budgets.evaluations = 8;
    table.population.spend.evaluations = 6;
    QCOMPARE(table.started(), std::string()); // one is left, and what is being evaluated may fail
    table.evaluating = 0;
    QCOMPARE(table.started(), std::string("select"));
}

void EngineScheduler::nothingIsPlannedOnNothing() {
    Table table;
    table.population.kernels.resize(table.population.kernels.size() - 1);
    table.kernel(Author::model); // the first draft, with the lane
    table.calls = {{CallTask::write, 1}};
    QCOMPARE(table.started(), std::string());
    table.lanes = 16; // room is no reason: jobs that are away have said nothing yet
    table.evaluating = 1;
    QCOMPARE(table.started(), std::string());
    table.population.kernels.editBack().verdict = VerdictKind::wrong;
    table.population.kernels.editBack().state = KernelState::evaluated;
    QCOMPARE(table.started(), std::string("select"));
}

void EngineScheduler::repairRunsBesideOthers() {
    Table table;
    Kernel& failed = table.kernel(Author::model);
    failed.verdict = VerdictKind::buildFailed;
    failed.state = KernelState::evaluated;
    failed.experiment = 1;
    table.experiment(ExperimentState::approved).kernel = failed.id;
    table.experiment(ExperimentState::approved);
    QCOMPARE(table.started(), std::string("repair 1, write 2, select"));
}

void EngineScheduler::personIsAskedOneThingAtATime() {
    Table table;
    table.population.settings.models["default"].provider = std::string(manualProviderName);
    table.experiment(ExperimentState::approved);
    table.experiment(ExperimentState::approved);
    QCOMPARE(table.started(), std::string("write 1"));
    table.population.settings.models["selector"].provider = "openai";
    QCOMPARE(table.started(), std::string("select")); // beside it: a service answers
}

void EngineScheduler::personsExperimentComesBeforeAPlan() {
    Table table;
    table.pace = {60, 30, 20};
    table.experiment(ExperimentState::approved, Author::person);
    table.experiment(ExperimentState::approved);
    table.calls = {{CallTask::write, 9}};
    QCOMPARE(table.started(), std::string("write 1, select"));
}

void EngineScheduler::budgetHasRoomForAllInFlight() {
    Table table;
    table.population.settings.budgets.tokens = 1000;
    table.population.spend.tokens = 700;
    for (int i = 0; i < 3; ++i) {
        table.experiment(ExperimentState::approved);
    }
    QCOMPARE(table.started(), std::string("write 1")); // what a call costs is not known yet
    table.dearest.tokens = 150;
    QVERIFY(table.next().has_value());
    table.population.spend.tokens = 701;
    QVERIFY(!table.next());
    table.population.settings.budgets = {.usd = 1.0};
    table.dearest.usd = 0.5;
    QVERIFY(table.next().has_value());
    table.population.spend.usd = 0.01;
    QVERIFY(!table.next());
}

void EngineScheduler::lanesTakeThePersonsWorkFirst() {
    Table table;
    table.kernel(Author::model);
    table.experiment(ExperimentState::evaluating, Author::person);
    table.kernel(Author::model).experiment = 1;
    QCOMPARE(nextKernel(table.population)->id, KernelId{5}); // the draft of a person's experiment
    table.kernel(Author::person);
    QCOMPARE(nextKernel(table.population)->id, KernelId{6});
}

QTEST_APPLESS_MAIN(EngineScheduler)
#include "engine_scheduler.moc"
