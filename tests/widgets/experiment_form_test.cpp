// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gui_test.h"
#include "tests/support/open_experiments.h"
#include "tests/support/sample_campaign.h"
#include "widgets/common/actions.h"
#include "widgets/common/fitting_text.h"
#include "widgets/common/selection_context.h"
#include "widgets/experiments/experiment_delegate.h"
#include "widgets/experiments/experiment_editor.h"
#include "widgets/experiments/experiments_panel.h"
#include "widgets/experiments/gain_box.h"

#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTabBar>
#include <QTest>
#include <memory>

using namespace gks;

// What a person writes about an experiment, own or proposed.
class ExperimentFormTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void cleanupTestCase() { m_gui.reset(); }
    void cleanup() { GuiTest::failOnWarnings(); }

    void editsAreSentBeforeApproval();
    void onlyWhatWasTouchedIsSent();
    void gainsKeepTheirThirdDigit();
    void gainsFitTheirLine();
    void newsDoesNotOverwriteTyping();
    void textOutlivesTheStartOfItsExperiment();
    void finishedOnesCannotBeEdited();
    void ownExperimentIsAdded();
    void aHalfWrittenOneStays();
    void withoutAModelThePersonWritesTheCode();
    void aWriterIsNamed();
    void ownExperimentMayJoinTwoKernels();
    void whatIsRefusedStaysInTheForm();
    void textOfAMergeStaysAMerge();
    void theFormIsNotSqueezed();

private:
    std::unique_ptr<GuiTest> m_gui;
};

void ExperimentFormTest::editsAreSentBeforeApproval() {
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
void ExperimentFormTest::onlyWhatWasTouchedIsSent() {
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

void ExperimentFormTest::gainsKeepTheirThirdDigit() {
    GainBox box;
    for (const auto& [gain, text] : {std::pair(0.995, "0.995x"), {1.05, "1.05x"}, {12.5, "12.5x"}, {215.0, "215x"}}) {
        box.setValue(gain);
        QCOMPARE(box.text(), QString::fromLatin1(text));
        QCOMPARE(box.value(), gain);
    }
    QCOMPARE(GainBox::rounded(0.99549), 0.995);
}

void ExperimentFormTest::gainsFitTheirLine() {
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

void ExperimentFormTest::newsDoesNotOverwriteTyping() {
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

void ExperimentFormTest::textOutlivesTheStartOfItsExperiment() {
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

void ExperimentFormTest::finishedOnesCannotBeEdited() {
    OpenPanel open({experimentWith(7, 1, ExperimentState::evaluating)});
    auto& [bridge, selection, actions, panel] = open;
    selection.setExperiment(7);
    auto* description = panel.findChild<QPlainTextEdit*>(QStringLiteral("experimentDescription"));
    QTRY_COMPARE(description->toPlainText(), QStringLiteral("experiment 7"));
    QVERIFY(description->isReadOnly());
    QVERIFY(!panel.findChild<QPushButton*>(QStringLiteral("experimentApprove"))->isEnabled());
    QVERIFY(!panel.findChild<QPushButton*>(QStringLiteral("experimentReject"))->isEnabled());
}

void ExperimentFormTest::ownExperimentIsAdded() {
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

void ExperimentFormTest::aHalfWrittenOneStays() {
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
void ExperimentFormTest::withoutAModelThePersonWritesTheCode() {
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

void ExperimentFormTest::aWriterIsNamed() {
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

void ExperimentFormTest::ownExperimentMayJoinTwoKernels() {
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

// With the reason, till it is changed into what may be added.
void ExperimentFormTest::whatIsRefusedStaysInTheForm() {
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
void ExperimentFormTest::textOfAMergeStaysAMerge() {
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

// In a dock of a small window: what was thought in the round lies behind the form, which has the room that it needs.
void ExperimentFormTest::theFormIsNotSqueezed() {
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

QTEST_MAIN(ExperimentFormTest)
#include "experiment_form_test.moc"
