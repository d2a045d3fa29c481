// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gui_test.h"
#include "tests/support/open_experiments.h"
#include "tests/support/sample_campaign.h"
#include "widgets/common/actions.h"
#include "widgets/common/selection_context.h"
#include "widgets/experiments/experiment_model.h"
#include "widgets/experiments/experiments_panel.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <memory>

using namespace gks;

namespace {

QString printed(const QAbstractItemModel& model) {
    QStringList rows;
    for (int row = 0; row < model.rowCount(); ++row) {
        rows << QString::number(model.index(row, 0).data(ExperimentModel::IdRole).toLongLong());
    }
    return rows.join(QLatin1Char(' '));
}

} // namespace

class ExperimentsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void cleanupTestCase() { m_gui.reset(); }
    void cleanup() { GuiTest::failOnWarnings(); }

    void modelGrowsWithoutReset();
    void openOnesComeFirstInTheirOrder();
    void oneInLineSaysSo();
    void decisionsThatAreStillPossible_data();
    void decisionsThatAreStillPossible();
    void movingSendsTheWholeOrder();
    void ownExperimentIsChosenInTheList();
    void theExperimentOfASelectedKernelIsChosen();
    void aStandstillIsSaid();
    void roundIsShownAsPlainText();
    void openAvenueIsAskedFor();
    void codeThatWaitsIsReviewed();

private:
    std::unique_ptr<GuiTest> m_gui;
};

void ExperimentsTest::modelGrowsWithoutReset() {
    ExperimentModel model;
    ExperimentOrder order;
    order.setSourceModel(&model);
    const QAbstractItemModelTester modelTester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QAbstractItemModelTester orderTester(&order, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    QSignalSpy inserts(&model, &QAbstractItemModel::rowsInserted);
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.setPopulation(populationOf(
        {experimentWith(1, 1, ExperimentState::proposed), experimentWith(2, 2, ExperimentState::proposed)}));
    QCOMPARE(inserts.size(), 1);
    model.setPopulation(
        populationOf({experimentWith(1, 1, ExperimentState::done), experimentWith(2, 2, ExperimentState::proposed),
                      experimentWith(3, 3, ExperimentState::proposed)}));
    QCOMPARE(inserts.size(), 2);
    QCOMPARE(inserts.last().at(1).toInt(), 2);
    QCOMPARE(changes.size(), 1);
    QCOMPARE(resets.size(), 0);
}

// The experiment is the same value before and after; what its draft does is not.
void ExperimentsTest::oneInLineSaysSo() {
    ExperimentModel model;
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    const auto post = [&](KernelState state) {
        Population population = *populationOf({experimentWith(1, 1, ExperimentState::evaluating)});
        Kernel draft;
        draft.id = 7;
        draft.experiment = 1;
        draft.state = state;
        population.kernels = {draft};
        model.setPopulation(std::make_shared<const Population>(std::move(population)));
        return model.index(0, 0).data(ExperimentModel::StateTextRole).toString();
    };
    QCOMPARE(post(KernelState::waiting), QStringLiteral("queued"));
    QCOMPARE(post(KernelState::proposed), QStringLiteral("for your approval"));
    QCOMPARE(post(KernelState::evaluating), QStringLiteral("evaluating"));
    QCOMPARE(changes.size(), 2);
    QVERIFY(model.index(0, 0).data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("evaluating")));
}

void ExperimentsTest::openOnesComeFirstInTheirOrder() {
    ExperimentModel model;
    ExperimentOrder order;
    order.setSourceModel(&model);
    model.setPopulation(populationOf(
        {experimentWith(1, 1, ExperimentState::done), experimentWith(2, 9, ExperimentState::approved),
         experimentWith(3, 4, ExperimentState::proposed), experimentWith(4, 4, ExperimentState::failed),
         experimentWith(5, 5, ExperimentState::evaluating), experimentWith(6, 6, ExperimentState::notPicked),
         experimentWith(7, 7, ExperimentState::notPicked)}));
    QCOMPARE(printed(order), QStringLiteral("3 5 2 4 1 7 6"));
    using Show = ExperimentOrder::Show;
    order.setShown(Show::open);
    QCOMPARE(printed(order), QStringLiteral("3 5 2"));
    order.setShown(Show::ended);
    QCOMPARE(printed(order), QStringLiteral("4 1"));
    order.setShown(Show::notPicked);
    QCOMPARE(printed(order), QStringLiteral("7 6"));
}

void ExperimentsTest::decisionsThatAreStillPossible_data() {
    QTest::addColumn<int>("state");
    QTest::addColumn<bool>("mayApprove");
    QTest::addColumn<bool>("mayReject");
    QTest::newRow("proposed") << static_cast<int>(ExperimentState::proposed) << true << true;
    QTest::newRow("not picked") << static_cast<int>(ExperimentState::notPicked) << true << true;
    QTest::newRow("approved") << static_cast<int>(ExperimentState::approved) << false << true;
    QTest::newRow("rejected") << static_cast<int>(ExperimentState::rejected) << true << false;
    QTest::newRow("done") << static_cast<int>(ExperimentState::done) << false << false;
}

void ExperimentsTest::decisionsThatAreStillPossible() {
    QFETCH(int, state);
    QFETCH(bool, mayApprove);
    QFETCH(bool, mayReject);
    OpenPanel open({experimentWith(7, 1, static_cast<ExperimentState>(state))});
    auto& [bridge, selection, actions, panel] = open;
    selection.setExperiment(7);
    auto* description = panel.findChild<QPlainTextEdit*>(QStringLiteral("experimentDescription"));
    QTRY_COMPARE(description->toPlainText(), QStringLiteral("experiment 7"));
    auto* approve = panel.findChild<QPushButton*>(QStringLiteral("experimentApprove"));
    QCOMPARE(approve->isEnabled(), mayApprove);
    QCOMPARE(panel.findChild<QPushButton*>(QStringLiteral("experimentReject"))->isEnabled(), mayReject);
    if (mayApprove) {
        QTRY_VERIFY(!approve->visibleRegion().isEmpty());
        QTest::mouseClick(approve, Qt::LeftButton);
        QCOMPARE(bridge.commands(), Commands{command::ApproveExperiment{7}});
    }
}

void ExperimentsTest::movingSendsTheWholeOrder() {
    OpenPanel open({experimentWith(1, 1, ExperimentState::proposed), experimentWith(2, 2, ExperimentState::proposed),
                    experimentWith(3, 3, ExperimentState::approved)});
    auto& [bridge, selection, actions, panel] = open;
    selection.setExperiment(3);
    auto* list = panel.findChild<QListView*>(QStringLiteral("experimentList"));
    QTRY_COMPARE(list->currentIndex().data(ExperimentModel::IdRole).toLongLong(), 3);
    actions.action("experiment.up")->trigger();
    QCOMPARE(bridge.commands(), Commands({command::ReorderExperiments{{1, 3, 2}}}));
    actions.action("experiment.down")->trigger(); // already last
    QCOMPARE(bridge.commands().size(), 1u);
}

// The keys are in the list then, on what was added.
void ExperimentsTest::ownExperimentIsChosenInTheList() {
    OpenPanel open({experimentWith(1, 1, ExperimentState::approved)});
    auto& [bridge, selection, actions, panel] = open;
    panel.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&panel));
    selection.select(1);
    actions.action("experiment.add")->trigger();
    auto* description = panel.findChild<QPlainTextEdit*>(QStringLiteral("experimentDescription"));
    QTRY_VERIFY(description->hasFocus());
    QTest::keyClicks(description, QStringLiteral("my idea"));
    QTest::keyClick(description, Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(bridge.commands().size(), std::size_t{1});
    auto* list = panel.findChild<QListView*>(QStringLiteral("experimentList"));
    QVERIFY(list->hasFocus());
    auto population = std::make_shared<Population>(*bridge.population());
    population->experiments.push_back(experimentWith(5, 0, ExperimentState::approved));
    population->experiments.editBack().author = Author::person;
    bridge.post(PopulationChanged{population});
    bridge.flush();
    QTRY_COMPARE(list->currentIndex().data(ExperimentModel::IdRole).toLongLong(), 5);
    QCOMPARE(selection.experiment(), std::optional<ExperimentId>(5));
    QVERIFY(list->hasFocus());
    selection.setExperiment(1); // once: what the person looks at next stays
    bridge.post(PopulationChanged{std::make_shared<Population>(*population)});
    bridge.flush();
    QTRY_VERIFY(panel.isSettled());
    QCOMPARE(selection.experiment(), std::optional<ExperimentId>(1));
}

void ExperimentsTest::theExperimentOfASelectedKernelIsChosen() {
    OpenPanel open({experimentWith(1, 1, ExperimentState::done), experimentWith(2, 2, ExperimentState::proposed)});
    auto& [bridge, selection, actions, panel] = open;
    auto population = std::make_shared<Population>(*bridge.population());
    Kernel made;
    made.id = 2;
    made.experiment = 1;
    population->kernels.push_back(made);
    bridge.post(PopulationChanged{population});
    bridge.flush();
    const auto* list = panel.findChild<QListView*>(QStringLiteral("experimentList"));
    const auto* description = panel.findChild<QPlainTextEdit*>(QStringLiteral("experimentDescription"));
    const auto current = [&] { return list->currentIndex().data(ExperimentModel::IdRole).toLongLong(); };
    selection.select(2);
    QTRY_COMPARE(current(), 1);
    QCOMPARE(description->toPlainText(), QStringLiteral("experiment 1"));
    selection.select(1); // a seed belongs to none
    QTRY_VERIFY(panel.isSettled());
    QCOMPARE(current(), 1);
    selection.setExperiment(2);
    QTRY_COMPARE(current(), 2);
    auto* shown = panel.findChild<QComboBox*>(QStringLiteral("experimentsShown"));
    shown->setCurrentIndex(shown->findText(QStringLiteral("Open"))); // the list does not have what is chosen
    selection.select(2);
    QTRY_COMPARE(description->toPlainText(), QStringLiteral("experiment 1"));
    QCOMPARE(selection.experiment(), std::optional<ExperimentId>(1));
    QVERIFY(!list->currentIndex().isValid());
}

void ExperimentsTest::aStandstillIsSaid() {
    const auto seen = [](ScientistKind kind) {
        Population population = *populationOf({experimentWith(1, 1, ExperimentState::failed)});
        population.settings.scientist = kind;
        population.settings.policies.stagnation = 1;
        population.best = 1;
        RecordingBridge bridge(std::make_shared<const Population>(population));
        SelectionContext selection;
        ActionCollection actions;
        ExperimentsPanel panel({&bridge, &selection, &actions});
        panel.show();
        if (!QTest::qWaitFor([&] { return panel.isSettled(); })) {
            return QStringLiteral("not settled");
        }
        const auto* label = panel.findChild<QLabel*>(QStringLiteral("stagnation"));
        return label->isVisible() ? label->text() : QString();
    };
    QVERIFY(seen(ScientistKind::model)
                .startsWith(QStringLiteral("1 experiment in a row brought no new best since 00001: 1 of kind change")));
    QCOMPARE(seen(ScientistKind::tuner), QString());
}

void ExperimentsTest::roundIsShownAsPlainText() {
    OpenPanel open({experimentWith(7, 1, ExperimentState::proposed)});
    auto& [bridge, selection, actions, panel] = open;
    auto* round = panel.findChild<QWidget*>(QStringLiteral("roundView"));
    QTRY_VERIFY(panel.isSettled());
    QVERIFY(round->isHidden()); // no model has thought of anything yet
    bridge.post(PopulationChanged{makeSampleCampaign().population});
    bridge.flush();
    QTRY_VERIFY(!round->isHidden());
    QCOMPARE(panel.findChild<QLabel*>(QStringLiteral("roundTitle"))->text(), QStringLiteral("Round 6 on 00012"));
    auto* diagnosis = panel.findChild<QPlainTextEdit*>(QStringLiteral("roundDiagnosis"));
    QCOMPARE(diagnosis->toPlainText(),
             QStringLiteral("Why this parent: The fastest line, and still four times above its floor.\n"
                            "all large shapes: latency of global loads, 4.10x above the floor. Evidence: 12 % of the "
                            "peak bytes/s <b>and</b> one wave per SIMD"));
    auto* avenues = panel.findChild<QListWidget*>(QStringLiteral("roundAvenues"));
    QCOMPARE(avenues->count(), 3);
    QVERIFY(avenues->item(0)->text().startsWith(QLatin1String("A1, taken up by experiment ")));
    QCOMPARE(avenues->item(2)->text(), QStringLiteral("A3, requested: Split K between blocks."));
    QCOMPARE(GuiTest::unnamedWidgets(&panel), QStringList());
}

void ExperimentsTest::openAvenueIsAskedFor() {
    OpenPanel open({experimentWith(7, 1, ExperimentState::proposed)});
    auto& [bridge, selection, actions, panel] = open;
    bridge.post(PopulationChanged{makeSampleCampaign().population});
    bridge.flush();
    auto* avenues = panel.findChild<QListWidget*>(QStringLiteral("roundAvenues"));
    auto* ask = panel.findChild<QPushButton*>(QStringLiteral("askForAvenue"));
    QTRY_COMPARE(avenues->count(), 3);
    QVERIFY(!ask->isEnabled()); // none is chosen
    avenues->setCurrentRow(0);
    QVERIFY(!ask->isEnabled()); // taken up
    avenues->setCurrentRow(1);
    QVERIFY(ask->isEnabled());
    ask->click();
    QCOMPARE(bridge.takeCommands(), Commands{command::AskForAvenue{2}});
    avenues->setCurrentRow(2);
    QVERIFY(ask->isEnabled());
    ask->click();
    QCOMPARE(bridge.takeCommands(), Commands({command::AskForAvenue{3, false}}));
}

void ExperimentsTest::codeThatWaitsIsReviewed() {
    auto population = std::make_shared<Population>(*populationOf({experimentWith(7, 1, ExperimentState::evaluating)}));
    Kernel draft;
    draft.id = 2;
    draft.parents = {1};
    draft.experiment = 7;
    draft.title = "wider <b>tile</b>";
    population->kernels.push_back(draft);
    RecordingBridge bridge(population);
    SelectionContext selection;
    ActionCollection actions;
    ExperimentsPanel panel({&bridge, &selection, &actions});
    panel.show();
    auto* review = panel.findChild<QWidget*>(QStringLiteral("codeReview"));
    QTRY_VERIFY(panel.isSettled());
    QVERIFY(review->isHidden()); // the draft is evaluated without a word

    auto asked = std::make_shared<Population>(*population);
    asked->kernels.editBack().state = KernelState::proposed;
    bridge.post(PopulationChanged{asked});
    bridge.flush();
    QTRY_VERIFY(review->isVisible());
    auto* list = panel.findChild<QListWidget*>(QStringLiteral("reviewDrafts"));
    QCOMPARE(list->count(), 1);
    QCOMPARE(list->item(0)->text(), QStringLiteral("00002 wider <b>tile</b>, from 00001; experiment 7: experiment 7"));
    QSignalSpy pages(&selection, &SelectionContext::pageRequested);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(0)).center());
    QCOMPARE(selection.primary(), std::optional<KernelId>(2)); // the source, and beside it the parent's
    QCOMPARE(selection.second(), std::optional<KernelId>(1));
    QCOMPARE(pages.takeFirst().front().toString(), QStringLiteral("compare"));

    auto* remark = panel.findChild<QLineEdit*>(QStringLiteral("reviewRemark"));
    auto* sendBack = panel.findChild<QPushButton*>(QStringLiteral("reviewSendBack"));
    QVERIFY(!sendBack->isEnabled()); // the Writer needs words
    QTest::keyClicks(remark, QStringLiteral("use LDS "));
    QVERIFY(sendBack->isEnabled());
    sendBack->click();
    QVERIFY(remark->text().isEmpty());
    panel.findChild<QPushButton*>(QStringLiteral("reviewApprove"))->click();
    panel.findChild<QPushButton*>(QStringLiteral("reviewReject"))->click();
    QCOMPARE(bridge.commands(),
             Commands({command::SendBackCode{2, "use LDS"}, command::ApproveCode{2}, command::RejectCode{2, ""}}));
    QSignalSpy edits(&selection, &SelectionContext::editRequested);
    panel.findChild<QPushButton*>(QStringLiteral("reviewEdit"))->click();
    QCOMPARE(edits.takeFirst().front().toLongLong(), 2);
}

QTEST_MAIN(ExperimentsTest)
#include "experiments_test.moc"
