// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gui_test.h"
#include "tests/support/held_compiler.h"
#include "tests/support/panel_stage.h"
#include "tests/support/sample_queries.h"
#include "widgets/code/compare_panel.h"
#include "widgets/code/compile_view.h"
#include "widgets/code/diff_view.h"
#include "widgets/code/kernel_panel.h"
#include "widgets/code/source_editor.h"
#include "widgets/settings/settings_dialog.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSplitter>
#include <QTest>
#include <memory>

using namespace gks;

namespace {

constexpr KernelId shown = 12; // its parent is 00007
constexpr int errorSign = 12;  // markers and indicators of diagnostic_marks.cpp
constexpr int warningSign = 11;
constexpr int noteSign = 10;

bool hasIndicator(QsciScintilla& editor, int indicator, long position) {
    return editor.SendScintilla(QsciScintillaBase::SCI_INDICATORVALUEAT, static_cast<unsigned long>(indicator),
                                position) != 0;
}

bool hasSign(QsciScintilla& editor, int row, int sign) {
    return (editor.markersAtLine(row) & (1U << static_cast<unsigned int>(sign))) != 0;
}

// Every kernel has one verdict.
class OneVerdict : public CampaignQueries {
public:
    explicit OneVerdict(Verdict verdict) : m_verdict(std::move(verdict)) {}
    Result<std::vector<Evaluation>> evaluations(KernelId) const override {
        Evaluation one;
        one.verdict = m_verdict;
        return std::vector<Evaluation>{one};
    }
    Result<std::vector<Exchange>> exchanges(std::optional<KernelId>, std::optional<ExperimentId>) const override {
        return std::vector<Exchange>{};
    }

private:
    Verdict m_verdict;
};

// The build failed at line 1.
class FailedBuilds final : public OneVerdict {
public:
    explicit FailedBuilds(const std::string& log) : OneVerdict(failedWith(log)) {}

private:
    static Verdict failedWith(const std::string& log) {
        Verdict verdict;
        verdict.kind = VerdictKind::buildFailed;
        verdict.build.log = log;
        return verdict;
    }
};

} // namespace

class CompileViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void cleanupTestCase() { m_gui.reset(); }
    void cleanup() { GuiTest::failOnWarnings(); }
    void timesHaveMoreOfAWidePage();

    void marksStandAtBytes();
    void placesThatAreNotThereAreLeftOut();
    void typingIsCompiled();
    void theSettingIsInTheDialog();
    void aFailedBuildIsMarked();
    void whatACheckedRunFoundIsMarked();
    void aDraftIsCompiledAndDecided();

private:
    std::unique_ptr<GuiTest> m_gui;
};

void CompileViewTest::marksStandAtBytes() {
    SourceEditor editor;
    editor.resize(600, 300);
    editor.show();
    editor.setSource("// \u00e4\u00f6 \u20ac\n/* \u00e4\u20ac */ int x = nothing + y;\nint z\n");
    DiagnosticMarks marks(&editor);
    marks.setMarginShown(true);
    marks.show({{"kernel.hip", 2, 21, DiagnosticKind::warning, "odd <b>word</b>", true},
                {"kernel.hip", 2, 31, DiagnosticKind::error, "no y", true},
                {"kernel.hip", 3, 6, DiagnosticKind::note, "expected ';'", true},
                {"problem.h", 1, 1, DiagnosticKind::error, "of a header", false}});
    const long line = editor.SendScintilla(QsciScintillaBase::SCI_POSITIONFROMLINE, 1UL);
    QVERIFY(!hasIndicator(editor, warningSign, line + 19));
    QVERIFY(hasIndicator(editor, warningSign, line + 20)); // "nothing"
    QVERIFY(hasIndicator(editor, warningSign, line + 26));
    QVERIFY(!hasIndicator(editor, warningSign, line + 27));
    QVERIFY(hasIndicator(editor, errorSign, line + 30));
    const long third = editor.SendScintilla(QsciScintillaBase::SCI_POSITIONFROMLINE, 2UL);
    QVERIFY(hasIndicator(editor, noteSign, third + 4));                         // behind the last letter: at it
    QVERIFY(hasSign(editor, 1, errorSign) && !hasSign(editor, 1, warningSign)); // the worst
    QVERIFY(!hasSign(editor, 0, errorSign));
    const auto pointAt = [&](long position) {
        const auto at = [&](unsigned int what) { return static_cast<int>(editor.SendScintilla(what, 0UL, position)); };
        return QPoint(at(QsciScintillaBase::SCI_POINTXFROMPOSITION) + 2,
                      at(QsciScintillaBase::SCI_POINTYFROMPOSITION) + 4);
    };
    const QString both = QStringLiteral("warning: odd <b>word</b>\nerror: no y");
    QCOMPARE(marks.tipAt(pointAt(line + 21)), both);
    QCOMPARE(marks.tipAt({editor.marginWidth(0) + 6, pointAt(line).y()}), both);
    QVERIFY(marks.tipAt(pointAt(line + 15)).isEmpty());
    QVERIFY(marks.goTo({"kernel.hip", 2, 31, DiagnosticKind::error, "no y", true}));
    QCOMPARE(editor.SendScintilla(QsciScintillaBase::SCI_GETCURRENTPOS), line + 30);
    marks.show({});
    QVERIFY(!hasIndicator(editor, errorSign, line + 30) && !hasSign(editor, 1, errorSign));
}

void CompileViewTest::placesThatAreNotThereAreLeftOut() {
    SourceEditor editor;
    editor.setSource("int x;\n");
    DiagnosticMarks marks(&editor);
    const Diagnostic far = {"kernel.hip", 1 << 20, 1, DiagnosticKind::error, "far", true};
    const Diagnostic none = {"kernel.hip", 0, 0, DiagnosticKind::error, "none", true};
    const Diagnostic wide = {"kernel.hip", 1, 1 << 20, DiagnosticKind::error, "wide", true};
    marks.show({far, none, wide});
    QVERIFY(hasSign(editor, 0, errorSign));
    QVERIFY(!hasSign(editor, 1, errorSign));
    QVERIFY(hasIndicator(editor, errorSign, 5) && !hasIndicator(editor, errorSign, 4));
    QVERIFY(!marks.goTo(far) && !marks.goTo(none) && marks.goTo(wide));
}

void CompileViewTest::typingIsCompiled() {
    HeldCompiler held;
    PanelStage<KernelPanel> stage({1000, 700}, shown);
    LiveCompile& live = stage.panel->compileView().compile();
    live.setCompiler(held.lister());
    live.setPause(std::chrono::milliseconds(0));
    auto* state = stage.part<QLabel>("kernelCompileState");
    auto* numbers = stage.part<QLabel>("kernelCompileNumbers");
    auto* list = stage.part<QListWidget>("kernelDiagnostics");
    auto* source = stage.part<SourceEditor>("kernelSource");
    QVERIFY(!state->isVisible());
    QVERIFY(held.sources().empty()); // nobody types
    stage.panel->beginEdit();
    QTRY_VERIFY2(state->text().startsWith(QStringLiteral("Compiled in")), qPrintable(state->text()));
    QVERIFY2(numbers->text().contains(QStringLiteral("VGPR&nbsp;96")), qPrintable(numbers->text()));
    QTRY_VERIFY(live.parents() != nullptr); // the source is still the parent's
    held.answer(listingWith({functionWith("gemm(Problem)", 104, 4)}));
    source->setText(QStringLiteral("int a;\n__global__ void gemm() {\n}\n"));
    QTRY_VERIFY2(numbers->text().contains(QStringLiteral("VGPR&nbsp;104&nbsp;(+8)")), qPrintable(numbers->text()));
    QVERIFY2(numbers->text().contains(QStringLiteral("4&nbsp;waves/&#8288;SIMD&nbsp;(\u22121)")),
             qPrintable(numbers->text()));
    source->setCursorPosition(1, 3);
    QTRY_VERIFY2(numbers->text().contains(QStringLiteral("<b>\u25B8 gemm</b>")), qPrintable(numbers->text()));

    held.answer(failureAt(3, 1));
    source->insertAt(QStringLiteral("int b;\n"), 0, 0);
    QTRY_COMPARE(state->text(), QStringLiteral("1 error"));
    QVERIFY(hasSign(*source, 2, errorSign));
    QCOMPARE(list->count(), 1);
    QVERIFY(list->isVisible());
    QVERIFY2(numbers->text().contains(QStringLiteral("of the last text that compiled")), qPrintable(numbers->text()));
    source->setCursorPosition(0, 0);
    GuiTest::actionIn(stage.actions.actions(), "kernel.next-diagnostic")->trigger();
    int line = -1;
    int column = -1;
    source->getCursorPosition(&line, &column);
    QCOMPARE(line, 2);
    source->setCursorPosition(0, 0);
    QTest::keyClick(list, Qt::Key_Return);
    source->getCursorPosition(&line, &column);
    QCOMPARE(line, 2);

    held.hold();
    source->insertAt(QStringLiteral(" "), 0, 0);
    QTRY_COMPARE(state->text(), QStringLiteral("Compiling..."));
    stage.panel->hide(); // another page
    QTRY_COMPARE(held.stopped(), 1);
    stage.panel->show();
    held.release();
    QTRY_COMPARE(state->text(), QStringLiteral("1 error"));
    QTest::mouseClick(stage.part<QPushButton>("kernelEditDiscard"), Qt::LeftButton);
    QVERIFY(!state->isVisible() && !list->isVisible());
    QVERIFY(!hasSign(*source, 2, errorSign));
    QCOMPARE(live.state(), LiveCompile::State::off);
}

void CompileViewTest::theSettingIsInTheDialog() {
    HeldCompiler held;
    PanelStage<KernelPanel> stage({1000, 700}, shown);
    stage.panel->compileView().compile().setCompiler(held.lister());
    SettingsDialog dialog({});
    auto* box = dialog.findChild<QCheckBox*>(QStringLiteral("settingsCompileWhileTyping"));
    QVERIFY(box->isChecked());
    box->click();
    stage.panel->beginEdit();
    auto* state = stage.part<QLabel>("kernelCompileState");
    QCOMPARE(state->text(), QStringLiteral("Compile while typing is off (see Settings)"));
    QVERIFY(held.sources().empty());
    box->click();
    QTRY_VERIFY2(state->text().startsWith(QStringLiteral("Compiled in")), qPrintable(state->text()));
}

void CompileViewTest::aFailedBuildIsMarked() {
    PanelStage<KernelPanel> stage({1000, 700});
    stage.bridge.setQueries(
        std::make_shared<FailedBuilds>("/b/kernel.hip:1:1: error: bad\n/b/problem.h:3:4: note: there\n"
                                       "1 error generated.\n"));
    stage.selection.select(shown);
    stage.settle();
    auto* source = stage.part<SourceEditor>("kernelSource");
    auto* list = stage.part<QListWidget>("kernelDiagnostics");
    QVERIFY(hasSign(*source, 0, errorSign));
    QCOMPARE(list->count(), 2);
    QCOMPARE(list->item(0)->text(), QStringLiteral("1:1  error: bad"));
    QCOMPARE(list->item(1)->text(), QStringLiteral("problem.h:3:4  note: there"));
    QCOMPARE(stage.part<QLabel>("kernelCompileState")->text(), QStringLiteral("The build: 1 error"));
    source->setCursorPosition(3, 0);
    GuiTest::actionIn(stage.actions.actions(), "kernel.previous-diagnostic")->trigger(); // over the header's
    int line = -1;
    int column = -1;
    source->getCursorPosition(&line, &column);
    QCOMPARE(line, 0);
    stage.selection.select(7); // its marks go, and its own come
    stage.settle();
    QVERIFY(hasSign(*source, 0, errorSign));
    stage.bridge.setQueries(std::make_shared<FailedBuilds>(""));
    stage.selection.select(shown);
    stage.settle();
    QVERIFY(!hasSign(*source, 0, errorSign));
    QVERIFY(!list->isVisible());
}

void CompileViewTest::whatACheckedRunFoundIsMarked() {
    Verdict verdict;
    verdict.kind = VerdictKind::wrong;
    verdict.diagnostics = {
        {"outside", "write of 4 bytes right past the end of y", "k(int)", {}, {}, "kernel.hip", 1, 1},
        {"race", "a race in k(int)", "k(int)", {}, {}, "problem.h", 3, 4}};
    PanelStage<KernelPanel> stage({1000, 700});
    stage.bridge.setQueries(std::make_shared<OneVerdict>(verdict));
    stage.selection.select(shown);
    stage.settle();
    auto* source = stage.part<SourceEditor>("kernelSource");
    auto* list = stage.part<QListWidget>("kernelDiagnostics");
    QVERIFY(hasSign(*source, 0, errorSign));
    QCOMPARE(list->count(), 2);
    QCOMPARE(list->item(0)->text(), QStringLiteral("1:1  error: write of 4 bytes right past the end of y"));
    QCOMPARE(list->item(1)->text(), QStringLiteral("problem.h:3:4  error: a race in k(int)"));
    QCOMPARE(stage.part<QLabel>("kernelCompileState")->text(), QStringLiteral("The checked run: 2 errors"));
    verdict.kind = VerdictKind::correct; // misaligned accesses, for one
    stage.bridge.setQueries(std::make_shared<OneVerdict>(verdict));
    stage.selection.select(7);
    stage.settle();
    QVERIFY(!hasSign(*source, 0, errorSign) && hasSign(*source, 0, warningSign));
}

void CompileViewTest::aDraftIsCompiledAndDecided() {
    HeldCompiler held;
    held.answer(failureAt(3, 1));
    PanelStage<ComparePanel> stage({1000, 700});
    LiveCompile& live = stage.panel->compileView().compile();
    live.setCompiler(held.lister());
    stage.publish([](Population& population) {
        population.kernels.editEach([](Kernel& kernel) {
            if (kernel.id == 7) {
                kernel.source = "int a;\nint gone;\nint more;\nint b;\n";
            } else if (kernel.id == shown) {
                kernel.state = KernelState::proposed;
                kernel.source = "int a;\nint b;\nint c;\n";
            }
        });
    });
    stage.bridge.setQueries(std::make_shared<SampleQueries>(stage.bridge.population(), stage.bridge.problem()));
    auto* approve = stage.part<QPushButton>("draftApprove");
    QVERIFY(!approve->isVisible());
    stage.selection.setPair(shown, 7);
    stage.settle();
    QVERIFY(approve->isVisible() && approve->isEnabled());
    auto* state = stage.part<QLabel>("draftCompileState");
    QTRY_COMPARE(state->text(), QStringLiteral("1 error"));
    QTRY_COMPARE(held.sources().size(), std::size_t{2}); // and the parent
    auto* pane = stage.panel->compileView().findChild<DiffPane*>(QStringLiteral("diffRight"));
    const auto row = static_cast<int>(pane->text().split(QLatin1Char('\n')).indexOf(QStringLiteral("int c;")));
    QVERIFY2(row != 2, qPrintable(pane->text())); // filler stands before it
    QVERIFY(hasSign(*pane, row, errorSign));
    auto* remark = stage.part<QLineEdit>("draftRemark");
    auto* sendBack = stage.part<QPushButton>("draftSendBack");
    QVERIFY(!sendBack->isEnabled());
    QTest::keyClicks(remark, QStringLiteral("use LDS"));
    stage.selection.setPair(7, 1);
    stage.settle();
    QVERIFY(!approve->isVisible());
    QCOMPARE(live.state(), LiveCompile::State::off);
    stage.selection.setPair(shown, 7);
    stage.settle();
    QCOMPARE(remark->text(), QStringLiteral("use LDS")); // waits for its draft
    sendBack->click();
    GuiTest::actionIn(stage.actions.actions(), "draft.approve")->trigger();
    QCOMPARE(stage.bridge.takeCommands(),
             Commands({command::SendBackCode{shown, "use LDS"}, command::ApproveCode{shown}}));
}

void CompileViewTest::timesHaveMoreOfAWidePage() {
    PanelStage<KernelPanel> stage({1000, 700}, shown);
    const auto* parts = stage.part<QSplitter>("kernelParts");
    QCOMPARE(parts->orientation(), Qt::Vertical);
    QVERIFY(parts->sizes().at(0) > 200 && parts->sizes().at(1) > 200);
    stage.panel->resize(1200, 900);
    QTRY_COMPARE(parts->orientation(), Qt::Horizontal);
    QTRY_VERIFY(parts->sizes().at(0) > 400 && parts->sizes().at(1) > 600);
}

QTEST_MAIN(CompileViewTest)
#include "compile_view_test.moc"
