// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gui_test.h"
#include "tests/support/panel_stage.h"
#include "tests/support/printed_model.h"
#include "tests/support/sample_lessons.h"
#include "widgets/common/rich_text.h"
#include "widgets/findings/finding_model.h"
#include "widgets/findings/findings_panel.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <memory>

using namespace gks;

class FindingsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void cleanupTestCase() { m_gui.reset(); }
    void init() { m_stage = std::make_unique<PanelStage<FindingsPanel>>(QSize(700, 700)); }
    void cleanup() {
        m_stage.reset();
        GuiTest::failOnWarnings();
    }

    void changesKeepTheirRows();
    void gainsAreRanges();
    void theListIsFiltered();
    void wordsAreEditedAndKept();
    void newsTakeNoTypedTextAway();
    void findingsAreDismissedAndRestored();
    void onesOwnIsAdded();
    void aHalfWrittenOneStays();
    void aLinkSelectsTheKernel();
    void figuresOfProbesAreMarked();

private:
    template<class W>
    W* part(const char* name) const {
        return m_stage->part<W>(name);
    }
    void choose(int row) { part<QListView>("findingList")->setCurrentIndex(list()->index(row, 0)); }
    QAbstractItemModel* list() const { return part<QListView>("findingList")->model(); }

    std::unique_ptr<GuiTest> m_gui;
    std::unique_ptr<PanelStage<FindingsPanel>> m_stage;
};

void FindingsTest::changesKeepTheirRows() {
    auto findings = sampleFindings(1000);
    FindingModel model;
    FindingFilter filter(&model);
    const QAbstractItemModelTester testsModel(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const QAbstractItemModelTester testsFilter(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    model.setFindings({findings.begin(), findings.begin() + 3});
    findings[1].state = FindingState::dismissed;
    model.setFindings(findings);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed.front()[0].toModelIndex().row(), 1);
    QCOMPARE(inserted.count(), 2);
    QCOMPARE(resets.count(), 0);
    QCOMPARE(
        printedModel(filter, {0}),
        QStringLiteral("padding of LDS rows\nunrolling of the inner loop\nragged K\ndouble buffering\nwide stores\n"));
}

void FindingsTest::gainsAreRanges() {
    Finding finding;
    QVERIFY(gainText(finding).isEmpty());
    finding.gain = Interval{0.914, 1.18};
    QCOMPARE(gainText(finding), QStringLiteral("0.914x to 1.18x"));
}

void FindingsTest::theListIsFiltered() {
    QCOMPARE(list()->rowCount(), 5);
    part<QLineEdit>("findingFilter")->setText(QStringLiteral("lds rows"));
    QCOMPARE(list()->rowCount(), 1);
    QCOMPARE(part<QLabel>("findingCount")->text(), QStringLiteral("1 of 5"));
    part<QLineEdit>("findingFilter")->clear();
    part<QComboBox>("findingState")->setCurrentIndex(2);
    QCOMPARE(list()->rowCount(), 1);
    QCOMPARE(list()->index(0, 0).data().toString(), QStringLiteral("unrolling of the inner loop"));
    part<QComboBox>("findingState")->setCurrentIndex(0);
}

void FindingsTest::wordsAreEditedAndKept() {
    choose(0);
    auto* text = part<QPlainTextEdit>("findingText");
    QVERIFY(!part<QPushButton>("findingSave")->isEnabled());
    text->setPlainText(QStringLiteral("Padding helps."));
    QTest::keyClick(text, Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(
        m_stage->bridge.takeCommands(),
        Commands({command::EditFinding{.finding = 1, .subject = "padding of LDS rows", .text = "Padding helps."}}));
    text->clear(); // a finding is dismissed, not emptied
    QTest::keyClick(text, Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(m_stage->bridge.takeCommands(), Commands());
    text->setPlainText(QStringLiteral("Padding helps."));
    choose(1); // leaving it sends what was typed
    QCOMPARE(m_stage->bridge.takeCommands().size(), 1u);
    QVERIFY(text->toPlainText().startsWith(QStringLiteral("Unrolling")));
}

void FindingsTest::newsTakeNoTypedTextAway() {
    choose(0);
    auto* text = part<QPlainTextEdit>("findingText");
    text->setPlainText(QStringLiteral("half a sen"));
    m_stage->publish([](Population& population) {
        population.findings[0].evaluations.push_back(15);
        population.findings[0].text = "merged meanwhile";
        population.findings[0].changedAt += 5;
    });
    QCOMPARE(text->toPlainText(), QStringLiteral("half a sen"));
    m_stage->bridge.takeCommands();
}

void FindingsTest::figuresOfProbesAreMarked() {
    m_stage->publish([](Population& population) {
        population.findings[3].probe = 99;
        population.experiments.editFront().uses = {4};
    });
    auto* state = part<QComboBox>("findingState");
    state->setCurrentIndex(state->findText(QStringLiteral("Figures of probes")));
    QCOMPARE(list()->rowCount(), 1);
    choose(0);
    const QString about = part<RichTextView>("findingEvidence")->toPlainText();
    QVERIFY2(about.contains(QLatin1String("measured by probe 00099, used by 1 experiment, which")), qPrintable(about));
    QVERIFY(list()->index(0, 0).data(Qt::AccessibleTextRole).toString().contains(QLatin1String("measured by probe")));
    state->setCurrentIndex(0);
    QCOMPARE(list()->rowCount(), 5);
}

void FindingsTest::findingsAreDismissedAndRestored() {
    choose(1);
    auto* button = part<QPushButton>("findingDismiss");
    button->click();
    QCOMPARE(m_stage->bridge.takeCommands(),
             Commands({command::EditFinding{.finding = 2, .state = FindingState::dismissed}}));
    m_stage->publish([](Population& population) { population.findings[1].state = FindingState::dismissed; });
    QCOMPARE(button->text(), QStringLiteral("&Restore"));
    m_stage->actions.action("finding.dismiss")->trigger();
    QCOMPARE(m_stage->bridge.takeCommands(),
             Commands({command::EditFinding{.finding = 2, .state = FindingState::standing}}));
}

void FindingsTest::onesOwnIsAdded() {
    m_stage->actions.action("finding.add")->trigger();
    auto* subject = part<QLineEdit>("findingSubject");
    QTRY_VERIFY(subject->hasFocus());
    QVERIFY(subject->text().isEmpty());
    subject->setText(QStringLiteral("alignment"));
    m_stage->publish([](Population& population) { population.spend.tokens += 1; }); // news come while it is typed
    QCOMPARE(subject->text(), QStringLiteral("alignment"));
    part<QPlainTextEdit>("findingText")->setPlainText(QStringLiteral("Align rows to 128 bytes."));
    part<QPushButton>("findingSave")->click();
    QCOMPARE(m_stage->bridge.takeCommands(), Commands({command::AddFinding{"alignment", "Align rows to 128 bytes."}}));
    QCOMPARE(GuiTest::unnamedWidgets(m_stage->panel.get()), QStringList());
}

// It is neither emptied nor sent as it is.
void FindingsTest::aHalfWrittenOneStays() {
    auto* add = m_stage->actions.action("finding.add");
    const auto* why = part<QLabel>("findingRefusal");
    add->trigger();
    QTRY_VERIFY(part<QLineEdit>("findingSubject")->isVisible());
    part<QLineEdit>("findingSubject")->setText(QStringLiteral("alignment"));
    add->trigger();
    QCOMPARE(part<QLineEdit>("findingSubject")->text(), QStringLiteral("alignment"));
    QVERIFY(why->isVisible());
    part<QPlainTextEdit>("findingText")->setPlainText(QStringLiteral("Align rows"));
    add->trigger();
    QCOMPARE(part<QPlainTextEdit>("findingText")->toPlainText(), QStringLiteral("Align rows"));
    QVERIFY(m_stage->bridge.takeCommands().empty());
    part<QPushButton>("findingDismiss")->click(); // "Discard"
    add->trigger();
    QVERIFY(part<QLineEdit>("findingSubject")->text().isEmpty() && !why->isVisible());
}

void FindingsTest::aLinkSelectsTheKernel() {
    choose(1);
    auto* evidence = part<RichTextView>("findingEvidence");
    QVERIFY2(evidence->toPlainText().contains(QStringLiteral("Contradicted by 00017")),
             qPrintable(evidence->toPlainText()));
    QVERIFY(evidence->toHtml().contains(QStringLiteral("kernel:17")));
    Q_EMIT evidence->anchorClicked(QUrl(QStringLiteral("kernel:17")));
    QCOMPARE(m_stage->selection.primary(), std::optional<KernelId>(17));
}

QTEST_MAIN(FindingsTest)
#include "findings_test.moc"
