// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gui_test.h"
#include "tests/support/sample_campaign.h"
#include "widgets/code/compare_panel.h"
#include "widgets/code/diff_view.h"
#include "widgets/code/kernel_panel.h"
#include "widgets/common/actions.h"
#include "widgets/common/selection_context.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <memory>

using namespace gks;

namespace {

// Records what the panels command.
class RecordingBridge final : public EngineBridge {
public:
    using EngineBridge::EngineBridge;
    bool readOnly() const override { return false; }
    void addKernel(KernelId basis, const QString& title, const QString& source) override {
        added.append(QStringLiteral("%1|%2|%3").arg(basis).arg(title, source.left(12)));
    }
    QStringList added;
};

} // namespace

class CodeViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void cleanupTestCase() { m_gui.reset(); }
    void cleanup() { GuiTest::failOnWarnings(); }

    void panesAlignRowsAndKeepRealLineNumbers();
    void copyingLeavesFillerOut();
    void changesAreWalked();
    void scrollingOnePaneMovesTheOther();
    void compareFollowsTheSelection();
    void editIsKeptUntilItIsSent();

private:
    std::unique_ptr<GuiTest> m_gui;
};

void CodeViewTest::panesAlignRowsAndKeepRealLineNumbers() {
    DiffView view;
    view.resize(800, 300);
    view.setSources("a\nb\nc\n", "a\nx\ny\nc\n");
    DiffPane& left = view.pane(DiffPane::Side::left);
    DiffPane& right = view.pane(DiffPane::Side::right);
    QCOMPARE(left.lines(), right.lines());
    QCOMPARE(static_cast<std::size_t>(left.lines()), view.diff().rows.size());
    const int last = left.lines() - 1;
    QCOMPARE(left.text(last), QStringLiteral("c"));
    QCOMPARE(right.text(last), QStringLiteral("c"));
    const auto margin = [](DiffPane& pane, int row) {
        char text[32] = {};
        pane.SendScintilla(QsciScintillaBase::SCI_MARGINGETTEXT, static_cast<unsigned long>(row), text);
        return QString::fromLatin1(text).trimmed();
    };
    QCOMPARE(margin(left, last), QStringLiteral("3"));
    QCOMPARE(margin(right, last), QStringLiteral("4"));
}

void CodeViewTest::copyingLeavesFillerOut() {
    DiffView view;
    view.setSources("a\nc\n", "a\nb\nc\n");
    QCOMPARE(view.pane(DiffPane::Side::left).sourceText(false), QStringLiteral("a\nc\n"));
    QCOMPARE(view.pane(DiffPane::Side::right).sourceText(false), QStringLiteral("a\nb\nc\n"));
}

void CodeViewTest::changesAreWalked() {
    DiffView view;
    view.setSources("1\na\n2\nb\n3\n", "1\nA\n2\nB\n3\n");
    QCOMPARE(view.diff().changes.size(), std::size_t{2});
    QCOMPARE(view.currentChange(), -1);
    view.nextChange();
    QCOMPARE(view.currentChange(), 0);
    view.nextChange();
    view.nextChange(); // there is no third
    QCOMPARE(view.currentChange(), 1);
    view.previousChange();
    QCOMPARE(view.currentChange(), 0);
}

void CodeViewTest::scrollingOnePaneMovesTheOther() {
    std::string text;
    for (int i = 0; i < 500; ++i) {
        text += "line " + std::to_string(i) + "\n";
    }
    DiffView view;
    view.resize(800, 300);
    view.setSources(text, text + "end\n");
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    view.pane(DiffPane::Side::left).setFirstVisibleLine(200);
    QTRY_COMPARE(view.pane(DiffPane::Side::right).firstVisibleLine(), 200);
    view.pane(DiffPane::Side::right).setFirstVisibleLine(20);
    QTRY_COMPARE(view.pane(DiffPane::Side::left).firstVisibleLine(), 20);
}

void CodeViewTest::compareFollowsTheSelection() {
    const SampleCampaign sample = makeSampleCampaign();
    EngineBridge bridge(sample.population, sample.problem);
    bridge.setQueries(sample.queries);
    SelectionContext selection;
    ActionCollection actions;
    ComparePanel panel({&bridge, &selection, &actions});
    panel.resize(1000, 600);
    panel.show();
    const KernelId best = *sample.population->best;
    const KernelId parent = sample.population->kernel(best)->parents.front();
    selection.select(best);
    const auto shown = [&](const char* name) { return panel.findChild<QLabel*>(QLatin1String(name))->text(); };
    QTRY_VERIFY(shown("compareRightName").startsWith(QStringLiteral("%1").arg(best, 5, 10, QLatin1Char('0'))));
    QVERIFY(shown("compareLeftName").startsWith(QStringLiteral("%1").arg(parent, 5, 10, QLatin1Char('0'))));
    QVERIFY2(shown("compareRatio").contains(QLatin1Char('[')), qPrintable(shown("compareRatio")));
    QVERIFY(shown("compareRightTime").contains(QStringLiteral("cpu")));
    selection.setSecond(sample.population->baseline);
    QTRY_VERIFY(shown("compareLeftName").startsWith(QStringLiteral("00001")));
    QVERIFY(shown("compareRatio").contains(QStringLiteral("measured apart")));
    QTRY_VERIFY(panel.isSettled());
}

void CodeViewTest::editIsKeptUntilItIsSent() {
    const SampleCampaign sample = makeSampleCampaign();
    RecordingBridge bridge(sample.population, sample.problem);
    bridge.setQueries(sample.queries);
    SelectionContext selection;
    ActionCollection actions;
    KernelPanel panel({&bridge, &selection, &actions});
    panel.resize(1000, 600);
    panel.show();
    selection.select(1);
    QTRY_VERIFY(panel.isSettled());
    panel.beginEdit();
    auto* source = panel.findChild<SourceEditor*>(QStringLiteral("kernelSource"));
    QVERIFY(!source->isReadOnly());
    source->setText(QStringLiteral("// mine\n"));
    selection.select(2); // looking elsewhere takes nothing away
    QTRY_VERIFY(panel.isSettled());
    QCOMPARE(source->text(), QStringLiteral("// mine\n"));
    panel.findChild<QLineEdit*>(QStringLiteral("kernelEditTitle"))->setText(QStringLiteral("by hand"));
    QTest::mouseClick(panel.findChild<QPushButton*>(QStringLiteral("kernelEditSubmit")), Qt::LeftButton);
    QCOMPARE(bridge.added, QStringList{QStringLiteral("1|by hand|// mine\n")});
    QVERIFY(source->isReadOnly());
    QVERIFY(!panel.isEditing());
}

QTEST_MAIN(CodeViewTest)
#include "code_view_test.moc"
