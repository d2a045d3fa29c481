// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/store.h"
#include "core/judge/code_summary.h"
#include "tests/support/gui_test.h"
#include "tests/support/panel_stage.h"
#include "tests/support/recording_bridge.h"
#include "tests/support/sample_campaign.h"
#include "tests/support/sample_queries.h"
#include "widgets/code/compare_panel.h"
#include "widgets/code/diff_view.h"
#include "widgets/code/kernel_facts.h"
#include "widgets/code/kernel_panel.h"
#include "widgets/code/source_editor.h"
#include "widgets/code/static_summary.h"
#include "widgets/common/actions.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/terms.h"
#include "widgets/common/theme.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTest>
#include <QTextBrowser>
#include <QThread>
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
    void changesAreCounted();
    void headerSurvivesAnotherParent();
    void theIntervalIsNeverCut();
    void kernelsAreMeasuredSideBySide();
    void whatIsOnlyLookedAtIsNotMeasured();
    void resultsOfBothKernelsAreShown();
    void newEvaluationIsAskedFor();
    void theTextsOfAKernelAreReadBesideTheWindow();
    void aSourceThatCannotBeReadSaysWhy();
    void editIsKeptUntilItIsSent();
    void editOfADraftTakesItsPlace();
    void ownKernelIsSelectedWhenItIsThere();
    void ownKernelIsLinkedWhenThePersonLooksElsewhere();
    void waitingKernelIsEvaluatedNow();
    void warningsOfTheJudgeAreShown();
    void whatTheCompilerSaysIsOneLine();
    void anOpenVerdictIsSaidOnce();
    void theGainIsOfTheKernelThatItWasMeasuredOn();
    void librariesStandBesideTheKernel();
    void championsOfShapesAreMarked();
    void timesAreOfTheRunThatTheHeadlineIsOf();
    void aProbeHasFiguresInThePlaceOfTimes();

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

// Of AMD's code the report, of NVIDIA's what ptxas wrote; two that do not speak of the same are not compared.
void CodeViewTest::whatTheCompilerSaysIsOneLine() {
    const auto plain = [](QString line) { return line.replace(QChar(QChar::Nbsp), QLatin1Char(' ')); };
    const auto ptxas = [](int registers, int spilled, int shared) {
        Verdict verdict;
        verdict.build.log = QStringLiteral("ptxas info    : Compiling entry function '_Z1aPf' for 'sm_90a'\n"
                                           "ptxas info    : Function properties for _Z1aPf\n"
                                           "    0 bytes stack frame, %2 bytes spill stores, %2 bytes spill loads\n"
                                           "ptxas info    : Used %1 registers, used 1 barriers, %3 bytes smem\n"
                                           "ptxas info    : Compiling entry function '_Z1bPf' for 'sm_90a'\n"
                                           "ptxas info    : Function properties for _Z1bPf\n"
                                           "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                                           "ptxas info    : Used 10 registers, used 0 barriers\n")
                                .arg(registers)
                                .arg(spilled)
                                .arg(shared)
                                .toStdString();
        return codeSummary(verdict);
    };
    const auto before = ptxas(168, 0, 1024);
    const auto after = ptxas(128, 12, 1024);
    QVERIFY(before && after);
    QCOMPARE(plain(staticText(nullptr, *before)),
             QStringLiteral("registers 168    static shared memory 1 KiB    barriers 1"));
    QCOMPARE(plain(staticText(&*before, *after)),
             QStringLiteral(
                 "registers 168 \u2192 128    spills 0 B \u2192 24 B    static shared memory 1 KiB    barriers 1"));
    Verdict amd;
    amd.staticReport.emplace();
    amd.staticReport->architecture = "gfx942";
    amd.staticReport->kernels.resize(2);
    amd.staticReport->kernels[0].vgprs = 96;
    amd.staticReport->kernels[0].occupancyWavesPerSimd = 4;
    amd.staticReport->kernels[1].vgprs = 64;
    amd.staticReport->kernels[1].occupancyWavesPerSimd = 8;
    QCOMPARE(plain(staticText(&*before, *codeSummary(amd))),
             QStringLiteral("VGPR 96    SGPR 0    LDS 0 B    occupancy 4    code 0 B"));
    QVERIFY(!codeSummary(Verdict()));
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
    stage.publish([](Population& population) { ++population.kernels[11].evaluations; });
    QTRY_COMPARE(shown->text(),
                 QStringLiteral("00012: faster 1.05x [1.03, 1.07] (side by side with 00007, all shapes); "
                                "00007: faster 1.05x [1.03, 1.07] (side by side with 00012)"));
    stage.selection.setPair(12, 1);
    stage.settle();
    QVERIFY2(shown->text().isEmpty(), qPrintable(shown->text()));
}

// A confirmation leaves state and time of a kernel as they are; its page shows it all the same.
void CodeViewTest::newEvaluationIsAskedFor() {
    class Counting final : public CampaignQueries {
    public:
        Result<std::vector<Evaluation>> evaluations(KernelId) const override {
            ++asked;
            return std::vector<Evaluation>{};
        }
        Result<std::vector<Exchange>> exchanges(std::optional<KernelId>, std::optional<ExperimentId>) const override {
            return std::vector<Exchange>{};
        }
        mutable std::atomic<int> asked = 0;
    };
    const auto queries = std::make_shared<Counting>();
    RecordingBridge bridge(QStringLiteral("sample.gks"));
    bridge.setQueries(queries);
    SelectionContext selection;
    ActionCollection actions;
    KernelPanel panel({&bridge, &selection, &actions});
    panel.show();
    selection.select(1);
    QTRY_VERIFY(panel.isSettled());
    QTRY_VERIFY(queries->asked > 0);
    const int before = queries->asked;
    auto population = std::make_shared<Population>(*bridge.population());
    population->kernels.front().evaluations += 1;
    bridge.post(PopulationChanged{population});
    bridge.flush();
    QTRY_COMPARE(queries->asked.load(), before + 1);
}

namespace {

// Says where it was read, and how often.
template<class T>
class WatchedText final : public LateReader<T> {
public:
    explicit WatchedText(T value) : m_value(std::move(value)) {}
    Result<T> read(std::int64_t) const override {
        ++reads;
        isInWindow = isInWindow || QThread::currentThread() == QCoreApplication::instance()->thread();
        return m_value;
    }
    mutable std::atomic<int> reads = 0;
    mutable std::atomic<bool> isInWindow = false;

private:
    T m_value;
};

} // namespace

void CodeViewTest::theTextsOfAKernelAreReadBesideTheWindow() {
    const auto source = std::make_shared<WatchedText<std::string>>("int first;\n");
    const auto report = std::make_shared<WatchedText<std::string>>("what was done");
    const auto rubric = std::make_shared<WatchedText<std::vector<RubricItem>>>(std::vector<RubricItem>{});
    auto population = std::make_shared<Population>();
    Kernel kernel;
    kernel.id = 1;
    kernel.source = Late<std::string>(source, 1);
    kernel.report = Late<std::string>(report, 1);
    kernel.rubric = Late<std::vector<RubricItem>>(rubric, 1);
    population->kernels = {kernel};
    RecordingBridge bridge(population);
    SelectionContext selection;
    ActionCollection actions;
    KernelPanel panel({&bridge, &selection, &actions});
    panel.show();
    selection.select(1);
    QTRY_VERIFY(panel.isSettled());
    auto* editor = panel.findChild<SourceEditor*>(QStringLiteral("kernelSource"));
    QCOMPARE(editor->text(), QStringLiteral("int first;\n"));
    const auto* facts = panel.findChild<QTextBrowser*>(QStringLiteral("kernelFacts"));
    QVERIFY(facts->toPlainText().contains(QStringLiteral("what was done")));
    const auto reads = [&] { return source->reads + report->reads + rubric->reads; };
    const int before = reads();
    bridge.post(PopulationChanged{std::make_shared<Population>(*population)}); // this kernel is as it was
    bridge.flush();
    QTRY_VERIFY(panel.isSettled());
    QCOMPARE(reads(), before);
    QVERIFY(panel.beginEdit());
    QTRY_VERIFY(panel.isSettled());
    const int begun = reads();
    editor->insertAt(QStringLiteral("int second;\n"), 0, 0);
    QTest::keyClicks(editor, QStringLiteral("int third;"));
    QCOMPARE(reads(), begun); // the keys read nothing
    QVERIFY(!source->isInWindow && !report->isInWindow && !rubric->isInWindow);
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

void CodeViewTest::editIsKeptUntilItIsSent() {
    const SampleCampaign sample = makeSampleCampaign();
    RecordingBridge bridge(QStringLiteral("sample.gks"));
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
    QCOMPARE(bridge.commands(), Commands({command::AddKernel{1, "by hand", "// mine\n"}}));
    QVERIFY(source->isReadOnly());
    QVERIFY(!panel.isEditing());
}

void CodeViewTest::editOfADraftTakesItsPlace() {
    auto population = std::make_shared<Population>();
    Kernel draft;
    draft.id = 1;
    draft.title = "wider tile";
    draft.source = "// the model's\n";
    draft.state = KernelState::proposed;
    population->kernels.push_back(draft);
    RecordingBridge bridge(population);
    SelectionContext selection;
    ActionCollection actions;
    KernelPanel panel({&bridge, &selection, &actions});
    panel.show();
    selection.select(1);
    panel.beginEdit();
    auto* source = panel.findChild<SourceEditor*>(QStringLiteral("kernelSource"));
    QTRY_COMPARE(source->text(), QStringLiteral("// the model's\n")); // read beside the window
    source->setText(QStringLiteral("int mine;\n"));
    QVERIFY(panel.findChild<QLineEdit*>(QStringLiteral("kernelEditTitle"))->isReadOnly());
    selection.select(2);
    QVERIFY(!panel.beginEdit()); // what is being written stays, and it is said
    QVERIFY(panel.findChild<QLabel*>(QStringLiteral("kernelEditRefusal"))->isVisible());
    QCOMPARE(source->text(), QStringLiteral("int mine;\n"));
    QTest::mouseClick(panel.findChild<QPushButton*>(QStringLiteral("kernelEditSubmit")), Qt::LeftButton);
    QCOMPARE(bridge.commands(), Commands({command::EditCode{1, "int mine;\n"}}));
}

namespace {

// As after an evaluation was sent: one kernel more.
void addKernel(RecordingBridge& bridge, Author author) {
    auto population = std::make_shared<Population>(*bridge.population());
    Kernel kernel;
    kernel.id = population->kernels.back().id + 1;
    kernel.author = author;
    kernel.title = "by <b>hand</b>";
    kernel.parents = {1};
    kernel.state = KernelState::waiting;
    population->kernels.push_back(kernel);
    bridge.post(PopulationChanged{population});
    bridge.flush();
}

void submit(KernelPanel& panel) {
    panel.beginEdit();
    panel.findChild<SourceEditor*>(QStringLiteral("kernelSource"))->setText(QStringLiteral("// mine\n"));
    QTest::mouseClick(panel.findChild<QPushButton*>(QStringLiteral("kernelEditSubmit")), Qt::LeftButton);
}

} // namespace

void CodeViewTest::ownKernelIsSelectedWhenItIsThere() {
    RecordingBridge bridge(makeSampleCampaign().population);
    SelectionContext selection;
    ActionCollection actions;
    KernelPanel panel({&bridge, &selection, &actions});
    panel.show();
    selection.select(1);
    submit(panel);
    const KernelId before = bridge.population()->kernels.back().id;
    addKernel(bridge, Author::model); // which is not the person's
    QVERIFY(selection.primary() == KernelId{1});
    addKernel(bridge, Author::person);
    QVERIFY(selection.primary() == before + 2);
    QVERIFY(panel.findChild<QLabel*>(QStringLiteral("kernelSubmitted"))->isHidden());
    selection.select(1);
    addKernel(bridge, Author::person); // was awaited once
    QVERIFY(selection.primary() == KernelId{1});
}

void CodeViewTest::ownKernelIsLinkedWhenThePersonLooksElsewhere() {
    RecordingBridge bridge(makeSampleCampaign().population);
    SelectionContext selection;
    ActionCollection actions;
    KernelPanel panel({&bridge, &selection, &actions});
    panel.show();
    selection.select(1);
    submit(panel);
    selection.select(2);
    addKernel(bridge, Author::person);
    QVERIFY(selection.primary() == KernelId{2});
    auto* link = panel.findChild<QLabel*>(QStringLiteral("kernelSubmitted"));
    const KernelId made = bridge.population()->kernels.back().id;
    QVERIFY(!link->isHidden() && link->text().contains(idText(made)));
    QVERIFY2(!link->text().contains(QLatin1String("<b>")), qPrintable(link->text()));
    Q_EMIT link->linkActivated(QStringLiteral("kernel"));
    QVERIFY(selection.primary() == made);
    QVERIFY(link->isHidden());
}

void CodeViewTest::waitingKernelIsEvaluatedNow() {
    RecordingBridge bridge(makeSampleCampaign().population);
    SelectionContext selection;
    ActionCollection actions;
    KernelPanel panel({&bridge, &selection, &actions});
    panel.show();
    selection.select(1);
    QTRY_VERIFY(panel.isSettled());
    auto* now = panel.findChild<QPushButton*>(QStringLiteral("kernelEvaluateNow"));
    QVERIFY(now->isHidden());
    addKernel(bridge, Author::person);
    const KernelId made = bridge.population()->kernels.back().id;
    selection.select(made);
    QTRY_VERIFY(!now->isHidden());
    QTest::mouseClick(now, Qt::LeftButton);
    QCOMPARE(bridge.commands(), Commands({command::EvaluateAgain{made}}));
    bridge.post(StateChanged{EngineState::running, ""});
    bridge.flush();
    QTRY_VERIFY(now->isHidden());
}

void CodeViewTest::warningsOfTheJudgeAreShown() {
    Evaluation evaluation;
    evaluation.verdict.kind = VerdictKind::correct;
    evaluation.verdict.verification.emplace_back();
    evaluation.verdict.warnings = {"n=5: read 4 bytes past the end of <x>"};
    const QString html = kernelFactsHtml({}, {}, {}, {evaluation}, Theme::instance().palette());
    QVERIFY2(html.contains(QLatin1String("warning: n=5: read 4 bytes past the end of &lt;x&gt;")), qPrintable(html));
}

void CodeViewTest::anOpenVerdictIsSaidOnce() {
    const SampleCampaign sample = makeSampleCampaign();
    Kernel kernel = *sample.population->kernel(*sample.population->best);
    kernel.verdict = VerdictKind::undecided;
    kernel.versusParent->verdict = VerdictKind::undecided;
    const QString html = kernelFactsHtml(*sample.population, {}, kernel, {}, Theme::instance().palette());
    QCOMPARE(html.count(QLatin1String("undecided")), 1);
    QVERIFY2(html.contains(QLatin1String(" vs parent ")), qPrintable(html));
}

// Two kernels of one experiment: what the one gained is not said of the other.
void CodeViewTest::theGainIsOfTheKernelThatItWasMeasuredOn() {
    const SampleCampaign sample = makeSampleCampaign();
    Population population = *sample.population;
    Kernel& failed = population.kernels.back();
    Experiment experiment;
    experiment.id = 900;
    experiment.predicted = Interval{1.05, 1.18};
    experiment.measuredGain = 1.1;
    experiment.tunedGain = 1.2;
    experiment.kernel = failed.id - 1;
    failed.probe = false;
    failed.experiment = experiment.id;
    population.experiments.push_back(experiment);
    const auto facts = [&] { return kernelFactsHtml(population, {}, failed, {}, Theme::instance().palette()); };
    QVERIFY2(facts().contains(predictionOf(experiment)), qPrintable(facts()));
    QVERIFY2(!facts().contains(gainsOf(experiment)), qPrintable(facts()));
    population.experiments.back().kernel = failed.id;
    QVERIFY2(facts().contains(gainsOf(experiment)), qPrintable(facts()));
}

void CodeViewTest::librariesStandBesideTheKernel() {
    const SampleCampaign sample = makeSampleCampaign();
    Population population = *sample.population;
    const auto kernel = std::find_if(population.kernels.begin(), population.kernels.end(),
                                     [&](const Kernel& one) { return one.id == population.best; });
    kernel->speedup = 2.8;
    kernel->speedupCi95 = {2.79, 2.81};
    AnchorFigure anchor;
    anchor.name = "cublaslt";
    anchor.title = "cuBLASLt <13.1>";
    anchor.lacks = "sums in fewer bits";
    anchor.geomeanUs = 50;
    anchor.speedup = 2;
    anchor.speedupCi95 = {1.99, 2.01};
    population.anchors = {anchor};
    const QString html = kernelFactsHtml(population, {}, *kernel, {}, Theme::instance().palette());
    QVERIFY2(html.contains(QLatin1String("1.40x [1.39, 1.41] of cuBLASLt &lt;13.1&gt;, which lacks: sums in fewer "
                                         "bits")),
             qPrintable(html));
}

// Kernel 12 leads on the first two shapes of the sample; on the third 9 and 7 are equal.
void CodeViewTest::championsOfShapesAreMarked() {
    const SampleCampaign sample = makeSampleCampaign();
    Evaluation evaluation;
    evaluation.verdict.kind = VerdictKind::faster;
    for (const Shape& shape : sample.problem->shapesOf(ShapeSet::cpu)) {
        evaluation.verdict.measurements.emplace_back().shape = sample.problem->namedShape(shape);
    }
    const auto cells = [&](KernelId id) {
        const Population& population = *sample.population;
        const QString html =
            kernelFactsHtml(population, {}, *population.kernel(id), {evaluation}, Theme::instance().palette());
        QStringList last;
        for (const QString& row : html.section(QStringLiteral("</table>"), 0, 0).split(QStringLiteral("<tr>")).mid(2)) {
            last.append(row.section(QStringLiteral("</td>"), -2, -2).section(QLatin1Char('>'), -1));
        }
        return last;
    };
    QCOMPARE(cells(12), QStringList({"this kernel", "this kernel", "00009 or 00007: not decided"}));
    QCOMPARE(cells(9), QStringList({"00012", "00012", "this kernel, not decided"}));
    QCOMPARE(cells(7), QStringList({"00012", "00012", "00009, not decided"}));
}

// A comparison that a person asked for later ran under another load.
void CodeViewTest::timesAreOfTheRunThatTheHeadlineIsOf() {
    Kernel kernel;
    kernel.id = 7;
    const auto run = [](std::string_view purpose, double us) {
        Evaluation evaluation;
        evaluation.purpose = purpose;
        evaluation.verdict.kind = VerdictKind::correct;
        evaluation.verdict.geomeanUs = us;
        evaluation.verdict.geomeanCi95Us = {us * 0.99, us * 1.01};
        MeasurementFact& fact = evaluation.verdict.measurements.emplace_back();
        fact.shape = {{"n", 4}};
        fact.medianUs = us;
        fact.ci95Us = evaluation.verdict.geomeanCi95Us;
        fact.floorUs = 3;
        return evaluation;
    };
    const Palette& palette = Theme::instance().palette();
    const QString html = kernelFactsHtml({}, {}, kernel, {run("new kernel", 50), run(askedPurpose, 52)}, palette);
    const QString table = html.section(QStringLiteral("</table>"), 0, 0);
    QVERIFY2(table.contains(QLatin1String("50.0 us")) && !table.contains(QLatin1String("52.0 us")), qPrintable(html));
    QVERIFY2(html.contains(QLatin1String("A later one, side by side, as asked, took 52.0 us")), qPrintable(html));
    QVERIFY2(table.contains(QLatin1String(">Bound<")) && !table.contains(QLatin1String("floor")), qPrintable(table));
    QVERIFY(!kernelFactsHtml({}, {}, kernel, {run("new kernel", 50)}, palette).contains(QLatin1String("A later one")));
}

void CodeViewTest::aProbeHasFiguresInThePlaceOfTimes() {
    Kernel probe;
    probe.id = 7;
    probe.probe = true;
    probe.source = "// probe: without\n// probe: with ops=100 less=without\n";
    Evaluation evaluation;
    evaluation.verdict.kind = VerdictKind::correct;
    for (const auto& [variant, us] : {std::pair{1, 2.0}, std::pair{2, 6.0}}) {
        MeasurementFact& fact = evaluation.verdict.measurements.emplace_back();
        fact.shape = {{"variant", variant}};
        fact.medianUs = us;
        fact.ci95Us = {us, us};
    }
    Population population;
    population.findings = {{.id = 3, .probe = 7}};
    const QString html = kernelFactsHtml(population, {}, probe, {evaluation}, Theme::instance().palette());
    for (const char* shown : {"with", "40.0 ns each", "finding F3"}) {
        QVERIFY2(html.contains(QLatin1String(shown)), qPrintable(html));
    }
    QVERIFY(!html.contains(QLatin1String("Roofline floor")) && !html.contains(QLatin1String("Champion")));
}

QTEST_MAIN(CodeViewTest)
#include "code_view_test.moc"
