// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gui_test.h"
#include "tests/support/recording_bridge.h"
#include "tests/support/sample_campaign.h"
#include "widgets/common/actions.h"
#include "widgets/common/fitting_text.h"
#include "widgets/common/selection_context.h"
#include "widgets/experiments/experiment_delegate.h"
#include "widgets/experiments/experiment_editor.h"
#include "widgets/experiments/experiment_model.h"
#include "widgets/experiments/experiments_panel.h"
#include "widgets/experiments/gain_box.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTabBar>
#include <QTest>
#include <memory>

using namespace gks;

namespace {

Experiment experimentWith(ExperimentId id, std::int64_t position, ExperimentState state) {
    Experiment e;
    e.id = id;
    e.position = position;
    e.parent = 1;
    e.state = state;
    e.description = "experiment " + std::to_string(id);
    e.predicted = Interval{1.05, 1.15};
    return e;
}

PopulationPtr populationOf(std::vector<Experiment> experiments) {
    auto population = std::make_shared<Population>();
    Kernel seed;
    seed.id = 1;
    population->kernels.push_back(seed);
    population->experiments = std::move(experiments);
    return population;
}

struct OpenPanel {
    explicit OpenPanel(std::vector<Experiment> experiments) : bridge(populationOf(std::move(experiments))) {
        panel.show();
    }

    RecordingBridge bridge;
    SelectionContext selection;
    ActionCollection actions;
    ExperimentsPanel panel{{&bridge, &selection, &actions}};
};

// In a campaign that a model writes in, so all kinds of experiments are allowed.
void postTwoKernels(RecordingBridge& bridge) {
    auto population = std::make_shared<Population>(*bridge.population());
    population->settings.scientist = ScientistKind::model;
    Kernel other;
    other.id = 2;
    population->kernels.push_back(other);
    bridge.post(PopulationChanged{population});
    bridge.flush();
}

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
    void editsAreSentBeforeApproval();
    void onlyWhatWasTouchedIsSent();
    void gainsKeepTheirThirdDigit();
    void gainsFitTheirLine();
    void newsDoesNotOverwriteTyping();
    void textOutlivesTheStartOfItsExperiment();
    void finishedOnesCannotBeEdited();
    void decisionsThatAreStillPossible_data();
    void decisionsThatAreStillPossible();
    void movingSendsTheWholeOrder();
    void ownExperimentIsAdded();
    void ownExperimentIsChosenInTheList();
    void aHalfWrittenOneStays();
    void withoutAModelThePersonWritesTheCode();
    void aWriterIsNamed();
    void ownExperimentMayJoinTwoKernels();
    void theExperimentOfASelectedKernelIsChosen();
    void whatIsRefusedStaysInTheForm();
    void textOfAMergeStaysAMerge();
    void aStandstillIsSaid();
    void roundIsShownAsPlainText();
    void theFormIsNotSqueezed();
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

void ExperimentsTest::editsAreSentBeforeApproval() {
    OpenPanel open({experimentWith(7, 1, ExperimentState::proposed)});
    auto& [bridge, selection, actions, panel] = open;
    panel.resize(360, 800);
    selection.setExperiment(7);
    auto* description = panel.findChild<QPlainTextEdit*>(QStringLiteral("experimentDescription"));
    QTRY_COMPARE(description->toPlainText(), QStringLiteral("experiment 7"));
    description->setPlainText(QStringLiteral("better"));
    panel.findChild<QDoubleSpinBox*>(QStringLiteral("experimentHigh"))->setValue(1.25);
    QTest::keyClick(description, Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(
        bridge.commands(),
        Commands({command::EditExperiment{.experiment = 7, .description = "better", .predicted = Interval{1.05, 1.25}},
                  command::ApproveExperiment{7}}));
}

// The form shows a prediction rounded and within the range of its boxes; neither is what the model predicted.
void ExperimentsTest::onlyWhatWasTouchedIsSent() {
    Experiment fine = experimentWith(7, 1, ExperimentState::proposed);
    fine.predicted = Interval{0.5125, 1.125};
    OpenPanel open({fine});
    auto& [bridge, selection, actions, panel] = open;
    selection.setExperiment(7);
    auto* rubric = panel.findChild<QPlainTextEdit*>(QStringLiteral("experimentRubric"));
    QTRY_VERIFY(rubric->isVisible());
    rubric->setPlainText(QStringLiteral("pad the rows"));
    QTest::keyClick(rubric, Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(bridge.takeCommands(), Commands({command::EditExperiment{.experiment = 7, .rubric = "pad the rows"},
                                              command::ApproveExperiment{7}}));
    panel.findChild<QDoubleSpinBox*>(QStringLiteral("experimentHigh"))->setValue(1.3);
    QTest::keyClick(rubric, Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(bridge.takeCommands().front(),
             SteeringCommand(command::EditExperiment{.experiment = 7, .predicted = Interval{0.5125, 1.3}}));
}

void ExperimentsTest::gainsKeepTheirThirdDigit() {
    GainBox box;
    for (const auto& [gain, text] : {std::pair(0.995, "0.995x"), {1.05, "1.05x"}, {12.5, "12.5x"}, {215.0, "215x"}}) {
        box.setValue(gain);
        QCOMPARE(box.text(), QString::fromLatin1(text));
        QCOMPARE(box.value(), gain);
    }
    QCOMPARE(GainBox::rounded(0.99549), 0.995);
}

void ExperimentsTest::gainsFitTheirLine() {
    Experiment done = experimentWith(7, 1, ExperimentState::done);
    done.predicted = Interval{0.962, 1.09};
    done.measuredGain = 1.03;
    const QStringList texts = gainTexts(done);
    QCOMPARE(texts, QStringList({QStringLiteral("predicted 0.962x to 1.09x, measured 1.03x"),
                                 QStringLiteral("0.962x to 1.09x, measured 1.03x"),
                                 QStringLiteral("0.962x to 1.09x, 1.03x")}));
    const QFontMetrics metrics(QApplication::font());
    QCOMPARE(firstThatFits(texts, metrics, 1000), texts[0]);
    QCOMPARE(firstThatFits(texts, metrics, metrics.horizontalAdvance(texts[0]) - 1), texts[1]);
    QCOMPARE(firstThatFits(texts, metrics, metrics.horizontalAdvance(texts[2])), texts[2]);
}

void ExperimentsTest::newsDoesNotOverwriteTyping() {
    OpenPanel open({experimentWith(7, 1, ExperimentState::proposed)});
    auto& [bridge, selection, actions, panel] = open;
    selection.setExperiment(7);
    auto* description = panel.findChild<QPlainTextEdit*>(QStringLiteral("experimentDescription"));
    QTRY_COMPARE(description->toPlainText(), QStringLiteral("experiment 7"));
    description->setPlainText(QStringLiteral("half a sen"));
    Experiment news = experimentWith(7, 1, ExperimentState::proposed);
    news.pick = "most certain";
    bridge.post(PopulationChanged{populationOf({news})});
    bridge.flush();
    QTRY_VERIFY(panel.isSettled());
    QCOMPARE(description->toPlainText(), QStringLiteral("half a sen"));
}

void ExperimentsTest::textOutlivesTheStartOfItsExperiment() {
    OpenPanel open({experimentWith(7, 1, ExperimentState::proposed)});
    auto& [bridge, selection, actions, panel] = open;
    selection.setExperiment(7);
    auto* description = panel.findChild<QPlainTextEdit*>(QStringLiteral("experimentDescription"));
    QTRY_COMPARE(description->toPlainText(), QStringLiteral("experiment 7"));
    description->setPlainText(QStringLiteral("half a sentence"));
    bridge.post(PopulationChanged{populationOf({experimentWith(7, 1, ExperimentState::writing)})});
    bridge.flush();
    QTRY_VERIFY(panel.isSettled());
    QCOMPARE(description->toPlainText(), QStringLiteral("half a sentence"));
    QVERIFY(
        panel.findChild<QLabel*>(QStringLiteral("experimentTitle"))->text().contains(QLatin1String("Experiment 7")));
    QTest::keyClick(description, Qt::Key_Return, Qt::ControlModifier);
    const Commands sent = bridge.takeCommands();
    QCOMPARE(sent.size(), 1U);
    const auto* added = std::get_if<command::AddExperiment>(&sent.front());
    QVERIFY(added != nullptr);
    QCOMPARE(added->description, std::string("half a sentence"));
    QCOMPARE(added->parent, experimentWith(7, 1, ExperimentState::proposed).parent);
}

void ExperimentsTest::finishedOnesCannotBeEdited() {
    OpenPanel open({experimentWith(7, 1, ExperimentState::evaluating)});
    auto& [bridge, selection, actions, panel] = open;
    selection.setExperiment(7);
    auto* description = panel.findChild<QPlainTextEdit*>(QStringLiteral("experimentDescription"));
    QTRY_COMPARE(description->toPlainText(), QStringLiteral("experiment 7"));
    QVERIFY(description->isReadOnly());
    QVERIFY(!panel.findChild<QPushButton*>(QStringLiteral("experimentApprove"))->isEnabled());
    QVERIFY(!panel.findChild<QPushButton*>(QStringLiteral("experimentReject"))->isEnabled());
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

void ExperimentsTest::ownExperimentIsAdded() {
    OpenPanel open({});
    auto& [bridge, selection, actions, panel] = open;
    selection.select(1);
    actions.action("experiment.add")->trigger();
    auto* approve = panel.findChild<QPushButton*>(QStringLiteral("experimentApprove"));
    QTRY_VERIFY(!approve->visibleRegion().isEmpty()); // the editor shows itself only when there is something to edit
    QTest::mouseClick(approve, Qt::LeftButton);       // nothing was typed: nothing is added
    QVERIFY(bridge.commands().empty());
    panel.findChild<QPlainTextEdit*>(QStringLiteral("experimentDescription"))->setPlainText(QStringLiteral("my idea"));
    QTest::mouseClick(approve, Qt::LeftButton);
    QCOMPARE(bridge.commands(),
             Commands({command::AddExperiment{.parent = 1, .description = "my idea", .predicted = Interval{1, 1.1}}}));
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

void ExperimentsTest::aHalfWrittenOneStays() {
    OpenPanel open({});
    auto& [bridge, selection, actions, panel] = open;
    selection.select(1);
    actions.action("experiment.add")->trigger();
    auto* description = panel.findChild<QPlainTextEdit*>(QStringLiteral("experimentDescription"));
    const auto* why = panel.findChild<QLabel*>(QStringLiteral("experimentWaits"));
    QTRY_VERIFY(description->isVisible());
    actions.action("experiment.add")->trigger(); // nothing is typed yet
    QVERIFY(!why->isVisibleTo(&panel));
    description->setPlainText(QStringLiteral("my idea"));
    actions.action("experiment.add")->trigger();
    QCOMPARE(description->toPlainText(), QStringLiteral("my idea"));
    QVERIFY(why->isVisibleTo(&panel));
    QCOMPARE(why->text(), QStringLiteral("Add or discard this experiment first"));
    QVERIFY(bridge.commands().empty());
    panel.findChild<QPushButton*>(QStringLiteral("experimentReject"))->click();
    actions.action("experiment.add")->trigger();
    QVERIFY(description->toPlainText().isEmpty() && !why->isVisibleTo(&panel));
}

// Said before it is added, and offered in the same place.
void ExperimentsTest::withoutAModelThePersonWritesTheCode() {
    Population population = *populationOf({experimentWith(1, 1, ExperimentState::approved)});
    population.experiments.editFront().author = Author::person;
    population.experiments.editFront().description = "pad <b>LDS</b>\nrows";
    for (const ScientistKind kind : {ScientistKind::tuner, ScientistKind::model}) {
        population.settings.scientist = kind;
        RecordingBridge bridge(std::make_shared<const Population>(population));
        SelectionContext selection;
        ActionCollection actions;
        ExperimentsPanel panel({&bridge, &selection, &actions});
        panel.show();
        selection.setExperiment(1);
        QTRY_VERIFY(panel.isSettled());
        auto* notice = panel.findChild<QLabel*>(QStringLiteral("experimentNeedsCode"));
        auto* write = panel.findChild<QPushButton*>(QStringLiteral("experimentWriteCode"));
        QCOMPARE(write->isVisibleTo(&panel), kind == ScientistKind::tuner);
        QVERIFY(!notice->isVisibleTo(&panel));
        const QString waits = panel.findChild<QLabel*>(QStringLiteral("experimentWaits"))->text();
        QCOMPARE(waits.startsWith(QLatin1String("needs code")), kind == ScientistKind::tuner);
        if (kind == ScientistKind::model) {
            continue;
        }
        QSignalSpy asked(&panel, &ExperimentsPanel::codeRequested);
        write->click();
        QCOMPARE(asked.takeFirst(), (QVariantList{qint64{1}, QStringLiteral("pad <b>LDS</b> rows")}));
        QVERIFY(bridge.commands().empty());
        selection.select(1);
        actions.action("experiment.add")->trigger();
        QVERIFY(notice->isVisibleTo(&panel));
        write->click(); // nothing is described yet
        QVERIFY(asked.isEmpty());
        panel.findChild<QPlainTextEdit*>(QStringLiteral("experimentDescription"))
            ->setPlainText(QStringLiteral("wider loads"));
        write->click();
        QCOMPARE(bridge.commands(), Commands({command::AddExperiment{
                                        .parent = 1, .description = "wider loads", .predicted = Interval{1, 1.1}}}));
        QCOMPARE(asked.takeFirst(), (QVariantList{qint64{1}, QStringLiteral("wider loads")}));
    }
}

void ExperimentsTest::aWriterIsNamed() {
    Population population = *populationOf({experimentWith(1, 1, ExperimentState::approved)});
    population.experiments.editFront().writer = "gone";
    for (const char* slot : {"default", "writer/deep", "writer/../x"}) {
        population.settings.models[slot] = {};
    }
    RecordingBridge bridge(std::make_shared<const Population>(population));
    SelectionContext selection;
    ActionCollection actions;
    ExperimentsPanel panel({&bridge, &selection, &actions});
    panel.show();
    selection.setExperiment(1);
    auto* writer = panel.findChild<QComboBox*>(QStringLiteral("experimentWriter"));
    QTRY_VERIFY(writer->isVisibleTo(&panel));
    QCOMPARE(writer->currentText(), QStringLiteral("gone, who is gone"));
    QCOMPARE(writer->count(), 4); // anyone, the stage's own, deep, and this one
    writer->setCurrentIndex(writer->findData(QStringLiteral("deep")));
    auto* editor = panel.findChild<ExperimentEditor*>();
    editor->commit();
    QCOMPARE(bridge.commands(), Commands({command::EditExperiment{.experiment = 1, .writer = "deep"}}));
    selection.select(1);
    actions.action("experiment.add")->trigger();
    panel.findChild<QPlainTextEdit*>(QStringLiteral("experimentDescription"))->setPlainText(QStringLiteral("mine"));
    QCOMPARE(writer->currentData().toString(), QString());
    writer->setCurrentIndex(writer->findData(QStringLiteral("own")));
    const QJsonObject unsent = editor->unsentFields();
    QCOMPARE(unsent.value(QLatin1String("writer")).toString(), QStringLiteral("own"));
    editor->drop();
    QVERIFY(editor->restore(unsent));
    QCOMPARE(writer->currentData().toString(), QStringLiteral("own"));
    QCOMPARE(GuiTest::unnamedWidgets(&panel), QStringList());
}

void ExperimentsTest::ownExperimentMayJoinTwoKernels() {
    OpenPanel open({});
    auto& [bridge, selection, actions, panel] = open;
    postTwoKernels(bridge);
    selection.setPair(1, 2);
    actions.action("experiment.add")->trigger();
    auto* kind = panel.findChild<QComboBox*>(QStringLiteral("experimentKind"));
    QTRY_VERIFY(kind->isVisibleTo(&panel));
    QCOMPARE(kind->count(), 5);
    kind->setCurrentIndex(kind->findText(QStringLiteral("merge with 00002")));
    panel.findChild<QPlainTextEdit*>(QStringLiteral("experimentDescription"))->setPlainText(QStringLiteral("both"));
    auto* approve = panel.findChild<QPushButton*>(QStringLiteral("experimentApprove"));
    QTRY_VERIFY(!approve->visibleRegion().isEmpty());
    QTest::mouseClick(approve, Qt::LeftButton);
    QCOMPARE(bridge.commands(), Commands({command::AddExperiment{.parent = 1,
                                                                 .reference = 2,
                                                                 .kind = ExperimentKind::merge,
                                                                 .description = "both",
                                                                 .predicted = Interval{1, 1.1}}}));
    selection.select(1); // and alone nothing is joined
    actions.action("experiment.add")->trigger();
    QTRY_COMPARE(kind->count(), 3);
    kind->setCurrentIndex(kind->findText(QStringLiteral("probe")));
    QVERIFY(!panel.findChild<QWidget*>(QStringLiteral("experimentLow"))->isEnabled()); // of which no gain is predicted
    panel.findChild<QPlainTextEdit*>(QStringLiteral("experimentDescription"))
        ->setPlainText(QStringLiteral("a barrier?"));
    QTest::mouseClick(approve, Qt::LeftButton);
    QCOMPARE(bridge.commands().back(), SteeringCommand(command::AddExperiment{
                                           .parent = 1, .kind = ExperimentKind::probe, .description = "a barrier?"}));
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

// With the reason, till it is changed into what may be added.
void ExperimentsTest::whatIsRefusedStaysInTheForm() {
    OpenPanel open({});
    auto& [bridge, selection, actions, panel] = open;
    selection.select(9); // which the campaign does not have
    actions.action("experiment.add")->trigger();
    auto* approve = panel.findChild<QPushButton*>(QStringLiteral("experimentApprove"));
    auto* description = panel.findChild<QPlainTextEdit*>(QStringLiteral("experimentDescription"));
    const auto* why = panel.findChild<QLabel*>(QStringLiteral("experimentWaits"));
    QTRY_VERIFY(!approve->visibleRegion().isEmpty());
    description->setPlainText(QStringLiteral("my idea"));
    QTest::mouseClick(approve, Qt::LeftButton);
    QVERIFY(bridge.commands().empty());
    QCOMPARE(description->toPlainText(), QStringLiteral("my idea"));
    QVERIFY2(why->isVisibleTo(&panel) && why->text().startsWith(QLatin1String("Not added: ")), qPrintable(why->text()));
    QVERIFY2(why->text().contains(QLatin1String("00009")), qPrintable(why->text()));
    auto population = std::make_shared<Population>(*bridge.population());
    Kernel fresh;
    fresh.id = 9;
    population->kernels.push_back(fresh);
    bridge.post(PopulationChanged{population});
    bridge.flush();
    QTRY_VERIFY(panel.isSettled());
    QVERIFY(why->isVisibleTo(&panel)); // news does not take the reason away
    QTest::mouseClick(approve, Qt::LeftButton);
    QCOMPARE(bridge.commands().size(), std::size_t{1});
    QVERIFY(!why->isVisibleTo(&panel));
}

// Its text is the person's own from then on, and still of both kernels.
void ExperimentsTest::textOfAMergeStaysAMerge() {
    Experiment merge = experimentWith(1, 1, ExperimentState::proposed);
    merge.kind = ExperimentKind::merge;
    merge.reference = 2;
    OpenPanel open({merge});
    auto& [bridge, selection, actions, panel] = open;
    postTwoKernels(bridge);
    selection.setExperiment(1);
    auto* description = panel.findChild<QPlainTextEdit*>(QStringLiteral("experimentDescription"));
    QTRY_COMPARE(description->toPlainText(), QStringLiteral("experiment 1"));
    description->setFocus();
    description->setPlainText(QStringLiteral("both, by shape"));
    auto population = std::make_shared<Population>(*bridge.population());
    population->experiments.editFront().state = ExperimentState::writing;
    bridge.post(PopulationChanged{population});
    bridge.flush();
    const auto* kind = panel.findChild<QComboBox*>(QStringLiteral("experimentKind"));
    QTRY_VERIFY(kind->isVisibleTo(&panel));
    QCOMPARE(kind->currentText(), QStringLiteral("merge with 00002"));
    auto* approve = panel.findChild<QPushButton*>(QStringLiteral("experimentApprove"));
    QTRY_VERIFY(!approve->visibleRegion().isEmpty());
    QTest::mouseClick(approve, Qt::LeftButton);
    QCOMPARE(bridge.commands().size(), std::size_t{1});
    const auto* added = std::get_if<command::AddExperiment>(&bridge.commands().front());
    QVERIFY(added != nullptr && added->kind == ExperimentKind::merge && added->reference == KernelId{2});
    QCOMPARE(added->description, std::string("both, by shape"));
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

// In a dock of a small window: what was thought in the round lies behind the form, which has the room that it needs.
void ExperimentsTest::theFormIsNotSqueezed() {
    OpenPanel open({experimentWith(7, 1, ExperimentState::proposed)});
    auto& [bridge, selection, actions, panel] = open;
    panel.resize(320, 670);
    bridge.post(PopulationChanged{makeSampleCampaign().population});
    bridge.flush();
    auto* pages = panel.findChild<QTabBar*>(QStringLiteral("offeredTabs"));
    QVERIFY(!pages->isVisible()); // nothing was thought in a round yet
    selection.setExperiment(bridge.population()->experiments.back().id);
    auto* rubric = panel.findChild<QPlainTextEdit*>(QStringLiteral("experimentRubric"));
    QTRY_VERIFY(rubric->isVisible());
    QTRY_VERIFY(pages->isVisible());
    QVERIFY(!panel.findChild<QWidget*>(QStringLiteral("roundView"))->isVisible());
    QTRY_VERIFY2(rubric->height() >= 5 * rubric->fontMetrics().height(), qPrintable(QString::number(rubric->height())));
    const auto* form = panel.findChild<QScrollArea*>(QStringLiteral("experimentForm"));
    QVERIFY(form->widget()->width() <= form->viewport()->width()); // nothing is cut at its side
    const auto* approve = panel.findChild<QPushButton*>(QStringLiteral("experimentApprove"));
    QVERIFY(panel.rect().contains(QRect(approve->mapTo(&panel, QPoint()), approve->size())));
    pages->setCurrentIndex(0);
    QVERIFY(panel.findChild<QWidget*>(QStringLiteral("roundView"))->isVisible() && !rubric->isVisible());
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
