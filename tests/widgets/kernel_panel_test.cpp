// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gui_test.h"
#include "tests/support/recording_bridge.h"
#include "tests/support/sample_campaign.h"
#include "tests/support/sample_queries.h"
#include "widgets/code/kernel_panel.h"
#include "widgets/code/source_editor.h"
#include "widgets/common/actions.h"
#include "widgets/common/selection_context.h"
#include "widgets/common/terms.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QTextBrowser>
#include <QThread>
#include <atomic>
#include <memory>

using namespace gks;
class KernelPanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void cleanupTestCase() { m_gui.reset(); }
    void cleanup() { GuiTest::failOnWarnings(); }

    void newEvaluationIsAskedFor();
    void theTextsOfAKernelAreReadBesideTheWindow();
    void editIsKeptUntilItIsSent();
    void whoWritesHasTheRoom_data();
    void whoWritesHasTheRoom();
    void editOfADraftTakesItsPlace();
    void ownKernelIsSelectedWhenItIsThere();
    void ownKernelIsLinkedWhenThePersonLooksElsewhere();
    void waitingKernelIsEvaluatedNow();

private:
    std::unique_ptr<GuiTest> m_gui;
};

// A confirmation leaves state and time of a kernel as they are; its page shows it all the same.
void KernelPanelTest::newEvaluationIsAskedFor() {
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
    population->kernels.editFront().evaluations += 1;
    bridge.post(PopulationChanged{population});
    bridge.flush();
    QTRY_COMPARE(queries->asked.load(), before + 1);
    // The ratio to a library on the page is of the speed, which the comparisons of others move too.
    auto moved = std::make_shared<Population>(*population);
    moved->speeds.set(1, {1.5, {1.4, 1.6}, {1.3, 1.7}});
    bridge.post(PopulationChanged{moved});
    bridge.flush();
    QTRY_COMPARE(queries->asked.load(), before + 2);
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

void KernelPanelTest::theTextsOfAKernelAreReadBesideTheWindow() {
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

void KernelPanelTest::editIsKeptUntilItIsSent() {
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

void KernelPanelTest::whoWritesHasTheRoom_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("narrow") << QSize(800, 500);
    QTest::newRow("wide") << QSize(1400, 700);
}

// And nothing that was measured of the kernel it comes from stands there as if it were the new one's.
void KernelPanelTest::whoWritesHasTheRoom() {
    QFETCH(QSize, size);
    const bool isNarrow = size.width() < 1100;
    RecordingBridge bridge(QStringLiteral("sample.gks"));
    SelectionContext selection;
    ActionCollection actions;
    KernelPanel panel({&bridge, &selection, &actions});
    panel.resize(size);
    panel.show();
    selection.select(12);
    QTRY_VERIFY(panel.isSettled());
    auto* source = panel.findChild<SourceEditor*>(QStringLiteral("kernelSource"));
    const auto* facts = panel.findChild<QTextBrowser*>(QStringLiteral("kernelFacts"));
    const auto* outcome = panel.findChild<QLabel*>(QStringLiteral("kernelOutcome"));
    QVERIFY(facts->isVisible() && outcome->isVisible());
    QVERIFY(outcome->text().contains(QStringLiteral("faster")));
    panel.beginEdit();
    QTRY_VERIFY(!source->isReadOnly());
    QVERIFY(!outcome->isVisible());
    QCOMPARE(facts->isVisible(), !isNarrow);
    if (isNarrow) {
        QTRY_VERIFY2(source->height() > 300, qPrintable(QString::number(source->height())));
    }
    const QString whose = QStringLiteral("Results of 00012, which the new kernel is based on");
    QVERIFY(facts->toPlainText().startsWith(whose));
    QTest::mouseClick(panel.findChild<QPushButton*>(QStringLiteral("kernelEditDiscard")), Qt::LeftButton);
    QVERIFY(facts->isVisible() && outcome->isVisible());
    QVERIFY(!facts->toPlainText().startsWith(whose));
}

void KernelPanelTest::editOfADraftTakesItsPlace() {
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

void KernelPanelTest::ownKernelIsSelectedWhenItIsThere() {
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

void KernelPanelTest::ownKernelIsLinkedWhenThePersonLooksElsewhere() {
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

void KernelPanelTest::waitingKernelIsEvaluatedNow() {
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

QTEST_MAIN(KernelPanelTest)
#include "kernel_panel_test.moc"
