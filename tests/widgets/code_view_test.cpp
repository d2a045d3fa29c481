// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/store.h"
#include "tests/support/gui_test.h"
#include "tests/support/panel_stage.h"
#include "tests/support/recording_bridge.h"
#include "tests/support/sample_campaign.h"
#include "tests/support/sample_queries.h"
#include "widgets/code/compare_panel.h"
#include "widgets/code/diff_view.h"
#include "widgets/code/kernel_panel.h"
#include "widgets/code/pair_ratio.h"
#include "widgets/code/source_editor.h"
#include "widgets/common/actions.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"

#include <QCheckBox>
#include <QLabel>
#include <QMenu>
#include <QTest>
#include <QToolButton>
#include <atomic>
#include <memory>

using namespace gks;
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
    void theNewestRunIsTheRatio();
    void changesAreCounted();
    void headerSurvivesAnotherParent();
    void theIntervalIsNeverCut();
    void kernelsAreMeasuredSideBySide();
    void whatIsOnlyLookedAtIsNotMeasured();
    void resultsOfBothKernelsAreShown();
    void aSourceThatCannotBeReadSaysWhy();

private:
    std::unique_ptr<GuiTest> m_gui;
};

void CodeViewTest::panesAlignRowsAndKeepRealLineNumbers() {
    DiffView view;
    view.resize(800, 300);
    view.setSources("a\nb\nc\n", "a\nx\ny\nc\n");
    QVERIFY(view.isBusy() && view.diff().rows.empty()); // computed beside the window
    QTRY_VERIFY(!view.isBusy());
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
    QTRY_VERIFY(!view.isBusy());
    QCOMPARE(view.pane(DiffPane::Side::left).sourceText(false), QStringLiteral("a\nc\n"));
    QCOMPARE(view.pane(DiffPane::Side::right).sourceText(false), QStringLiteral("a\nb\nc\n"));
}

void CodeViewTest::changesAreWalked() {
    DiffView view;
    view.setSources("1\na\n2\nb\n3\n", "1\nA\n2\nB\n3\n");
    QTRY_VERIFY(!view.isBusy());
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
    QTRY_VERIFY(!view.isBusy());
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
    QCOMPARE(shown("compareRatio"), QStringLiteral("6.74x [6.53, 6.95] by a chain of paired runs"));
    QTRY_VERIFY(panel.isSettled());
}

// Measured once more beside each other, two kernels are told apart by that run and no longer by the verdict.
void CodeViewTest::theNewestRunIsTheRatio() {
    auto population = std::make_shared<Population>(*makeSampleCampaign().population);
    const Kernel* kernel = population->kernel(*population->best);
    const Kernel* parent = population->kernel(kernel->parents.front());
    const PairRatio verdict = pairRatio(*population, *parent, *kernel);
    QVERIFY2(verdict.text.startsWith(QStringLiteral("faster 1.16x [")), qPrintable(verdict.text));
    population->comparisons.push_back({1000, parent->id, kernel->id, 2, {1.9, 2.1}});
    const PairRatio again = pairRatio(*population, *parent, *kernel);
    QCOMPARE(again.text, QStringLiteral("0.500x [0.476, 0.526] by their newest paired run"));
    QVERIFY(again.mark == VerdictMark::slower);
}

void CodeViewTest::changesAreCounted() {
    auto population = std::make_shared<Population>();
    for (const char* source : {"1\na\n2\nb\n3\n", "1\nA\n2\nb\n3\n", "1\nA\n2\nB\n3\n"}) {
        Kernel kernel;
        kernel.id = static_cast<KernelId>(population->kernels.size()) + 1;
        kernel.source = source;
        population->kernels.push_back(kernel);
    }
    RecordingBridge bridge(population);
    bridge.setQueries(std::make_shared<SampleQueries>(population, nullptr));
    SelectionContext selection;
    ActionCollection actions;
    ComparePanel panel({&bridge, &selection, &actions});
    panel.show();
    const auto* changes = panel.findChild<QLabel*>(QStringLiteral("compareChanges"));
    selection.setPair(2, 1);
    QTRY_VERIFY2(changes->text().endsWith(QStringLiteral(" 1 change")), qPrintable(changes->text()));
    selection.setPair(3, 1);
    QTRY_VERIFY2(changes->text().endsWith(QStringLiteral(" 2 changes")), qPrintable(changes->text()));
    actions.action("compare.next-change")->trigger();
    QVERIFY2(changes->text().endsWith(QStringLiteral("Change 1 of 2")), qPrintable(changes->text()));
}

// A picture of the panel alone is taken from a panel that has lost its window.
void CodeViewTest::headerSurvivesAnotherParent() {
    RecordingBridge bridge(QStringLiteral("sample.gks"));
    SelectionContext selection;
    ActionCollection actions;
    QWidget window;
    ComparePanel panel({&bridge, &selection, &actions}, &window);
    panel.resize(1000, 600);
    window.resize(1000, 600);
    window.show();
    selection.select(*bridge.population()->best);
    auto* ratio = panel.findChild<QLabel*>(QStringLiteral("compareRatio"));
    QTRY_VERIFY(ratio->text().contains(QStringLiteral("faster")));
    QTRY_VERIFY(panel.isSettled());
    panel.setParent(nullptr);
    panel.resize(420, 600);
    panel.show();
    QVERIFY(QTest::qWaitForWindowExposed(&panel));
    QCOMPARE(ratio->palette().color(QPalette::WindowText), Theme::instance().palette().faster);
    // Narrow: the static line takes as many lines as it needs, a long name ends in an ellipsis.
    const auto* statics = panel.findChild<QLabel*>(QStringLiteral("compareStatic"));
    QVERIFY(statics->text().contains(QStringLiteral("VGPR")));
    QTRY_VERIFY(statics->height() >= statics->heightForWidth(statics->width()));
    QVERIFY(statics->height() * 2 > 3 * statics->fontMetrics().height());
    const auto* name = panel.findChild<ElidedLabel*>(QStringLiteral("compareRightName"));
    QVERIFY(name->shownText().endsWith(QChar(0x2026)));
}

void CodeViewTest::theIntervalIsNeverCut() {
    RecordingBridge bridge(QStringLiteral("sample.gks"));
    SelectionContext selection;
    ActionCollection actions;
    ComparePanel panel({&bridge, &selection, &actions});
    const auto* ratio = panel.findChild<ElidedLabel*>(QStringLiteral("compareRatio"));
    const KernelId best = *bridge.population()->best;
    for (const std::optional<KernelId> second : {std::optional<KernelId>(), bridge.population()->baseline}) {
        selection.select(best);
        selection.setSecond(second);
        for (int width = 360; width <= 900; width += 12) {
            panel.resize(width, 600);
            panel.show();
            QTRY_VERIFY(panel.isSettled());
            QTRY_COMPARE(ratio->shownText(), ratio->text());
            QVERIFY2(ratio->text().contains(QLatin1Char(']')), qPrintable(ratio->text()));
        }
    }
}

void CodeViewTest::kernelsAreMeasuredSideBySide() {
    PanelStage<ComparePanel> stage;
    stage.selection.setPair(12, 1);
    stage.settle();
    QAction* measure = stage.actions.action("compare.measure");
    auto* all = stage.part<QCheckBox>("compareAllShapes");
    auto* waiting = stage.part<QToolButton>("compareWaiting");
    QVERIFY(measure->isEnabled() && all->isChecked() && !waiting->isVisible());
    stage.part<QToolButton>("compare.measure.button")->click();
    all->setChecked(false);
    measure->trigger();
    QCOMPARE(stage.bridge.takeCommands(),
             (Commands{command::MeasureSideBySide{12, 1, true}, command::MeasureSideBySide{12, 1, false}}));
    stage.publish(
        [](Population& population) { population.settings.askedComparisons = {{12, 1, false}, {9, 7, true}}; });
    QCOMPARE(stage.part<QLabel>("compareAsked")->text(), QStringLiteral("waits to be measured side by side"));
    QVERIFY(!measure->isEnabled()); // once is enough
    QVERIFY(measure->toolTip().contains(QStringLiteral("wait to be measured")));
    all->setChecked(true);
    QVERIFY(measure->isEnabled() && stage.part<QLabel>("compareAsked")->text().isEmpty());
    QVERIFY(waiting->isVisible());
    QCOMPARE(waiting->text(), QStringLiteral("2 waiting"));
    QCOMPARE(waiting->menu()->actions().size(), 2);
    QCOMPARE(waiting->menu()->actions().at(1)->text(), QStringLiteral("Take back 00009 and 00007, all shapes"));
    waiting->menu()->actions().at(1)->trigger();
    QCOMPARE(stage.bridge.takeCommands(), (Commands{command::UnaskComparison{9, 7, true}}));
    stage.selection.setPair(5, 1); // 00005 is wrong
    stage.settle();
    QVERIFY(!measure->isEnabled());
    QVERIFY(measure->toolTip().contains(QStringLiteral("00005 has not passed the judge")));
    stage.publish([](Population& population) { population.settings.judgedByHarness = true; });
    bool isSaid = false; // where there is none
    for (const Kernel& kernel : stage.bridge.population()->kernels) {
        stage.selection.setPair(kernel.id, 1);
        stage.settle();
        const QString text = stage.part<QLabel>("compareStatic")->text();
        isSaid = isSaid || text == QLatin1String("No static report: a command pack has none");
        QVERIFY2(isSaid || !text.startsWith(QLatin1String("No static report")), qPrintable(text));
    }
    QVERIFY(isSaid);
}

// Whichever of the two was measured beside the other, and only those two; what has just been measured is asked for.
void CodeViewTest::whatIsOnlyLookedAtIsNotMeasured() {
    const SampleCampaign sample = makeSampleCampaign();
    EngineBridge bridge(sample.population, sample.problem); // read-only
    SelectionContext selection;
    ActionCollection actions;
    ComparePanel panel({&bridge, &selection, &actions});
    panel.show();
    selection.select(12);
    QTRY_VERIFY(panel.isSettled());
    QVERIFY(!actions.action("compare.measure")->isEnabled());
}

void CodeViewTest::resultsOfBothKernelsAreShown() {
    class Measured final : public CampaignQueries {
    public:
        Result<std::vector<Evaluation>> evaluations(KernelId kernel) const override {
            Evaluation evaluation;
            evaluation.kernel = kernel;
            evaluation.baseline = kernel == 12 ? 7 : kernel == 7 ? 12 : 9;
            evaluation.purpose = kernel == 12 ? askedOnAllPurpose : askedPurpose;
            evaluation.verdict.kind = VerdictKind::faster;
            evaluation.verdict.comparison = ComparisonFact{1.05, {1.03, 1.07}, VerdictKind::faster, ""};
            return isMeasured ? std::vector<Evaluation>{evaluation} : std::vector<Evaluation>{};
        }
        Result<std::vector<Exchange>> exchanges(std::optional<KernelId>, std::optional<ExperimentId>) const override {
            return std::vector<Exchange>{};
        }
        std::atomic<bool> isMeasured = false;
    };
    PanelStage<ComparePanel> stage;
    const auto queries = std::make_shared<Measured>();
    stage.bridge.setQueries(queries);
    stage.selection.setPair(12, 7);
    stage.settle();
    const auto* shown = stage.part<QLabel>("compareAsked");
    QVERIFY2(shown->text().isEmpty(), qPrintable(shown->text()));
    queries->isMeasured = true;
    stage.publish([](Population& population) { ++population.kernels.edit(11).evaluations; });
    QTRY_COMPARE(shown->text(),
                 QStringLiteral("00012: faster 1.05x [1.03, 1.07] (side by side with 00007, all shapes); "
                                "00007: faster 1.05x [1.03, 1.07] (side by side with 00012)"));
    stage.selection.setPair(12, 1);
    stage.settle();
    QVERIFY2(shown->text().isEmpty(), qPrintable(shown->text()));
}

// A blank page would say that the kernel is empty.
void CodeViewTest::aSourceThatCannotBeReadSaysWhy() {
    struct Damaged final : LateReader<std::string> {
        Result<std::string> read(std::int64_t) const override {
            return tl::unexpected(infrastructureError("the campaign file is damaged", "kernel 00002"));
        }
    };
    struct DamagedQueries final : CampaignQueries {
        Result<std::vector<Evaluation>> evaluations(KernelId) const override { return std::vector<Evaluation>{}; }
        Result<std::vector<Exchange>> exchanges(std::optional<KernelId>, std::optional<ExperimentId>) const override {
            return std::vector<Exchange>{};
        }
        Result<std::string> source(KernelId kernel) const override { return Damaged().read(kernel); }
    };
    auto population = std::make_shared<Population>();
    for (const KernelId id : {1, 2}) {
        Kernel kernel;
        kernel.id = id;
        kernel.source =
            id == 1 ? Late<std::string>("int first;\n") : Late<std::string>(std::make_shared<Damaged>(), id);
        population->kernels.push_back(kernel);
    }
    RecordingBridge bridge(population);
    bridge.setQueries(std::make_shared<DamagedQueries>());
    SelectionContext selection;
    ActionCollection actions;
    KernelPanel panel({&bridge, &selection, &actions});
    panel.show();
    selection.select(2);
    QTRY_VERIFY(panel.isSettled());
    const auto* unread = panel.findChild<QLabel*>(QStringLiteral("kernelUnread"));
    QVERIFY(unread->isVisible() && unread->text().contains(QStringLiteral("damaged")));
    QCOMPARE(bridge.warnings().size(), 1u);
    QVERIFY(panel.beginEdit());
    QTRY_VERIFY(panel.isSettled());
    QVERIFY(panel.findChild<SourceEditor*>(QStringLiteral("kernelSource"))->isVisible() && !unread->isVisible());
    selection.setPair(2, 1);
    ComparePanel compare({&bridge, &selection, &actions});
    compare.resize(900, 600);
    compare.show();
    const auto* why = compare.findChild<QLabel*>(QStringLiteral("compareUnread"));
    QTRY_VERIFY(why->isVisible() && why->text().contains(QStringLiteral("damaged")));
    QCOMPARE(bridge.warnings().size(), 1u); // once
    QCOMPARE(GuiTest::unnamedWidgets(&compare), QStringList());
}

QTEST_MAIN(CodeViewTest)
#include "code_view_test.moc"
