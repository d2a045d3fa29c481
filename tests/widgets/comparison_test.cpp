// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/store.h"
#include "tests/support/gui_test.h"
#include "tests/support/panel_stage.h"
#include "tests/support/sample_queries.h"
#include "widgets/code/compare_panel.h"
#include "widgets/code/comparison_model.h"
#include "widgets/code/diff_view.h"
#include "widgets/code/machine_code_difference.h"
#include "widgets/code/unified_view.h"
#include "widgets/common/theme.h"
#include "widgets/lineage/kernel_actions.h"
#include "widgets/run/status_strip.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QTabBar>
#include <QTableView>
#include <QThread>
#include <atomic>
#include <memory>

using namespace gks;

namespace {

enum Tab { sourceTab, unifiedTab, machineCodeTab, tableTab };

// The evaluations of the sample, and a confirmation of its best once it `isConfirmed`.
class ConfirmedQueries final : public CampaignQueries {
public:
    explicit ConfirmedQueries(const EngineBridge& bridge)
        : m_population(bridge.population()), m_sample(bridge.queries()) {}
    Result<std::vector<Evaluation>> evaluations(KernelId kernel) const override {
        auto all = m_sample->evaluations(kernel);
        if (all && isConfirmed && kernel == m_population->best) {
            Evaluation run = all->back();
            run.baseline = m_population->baseline;
            run.purpose = confirmationPurpose;
            run.verdict.kind = VerdictKind::faster;
            run.verdict.comparison = ComparisonFact{6.5, {6.4, 6.6}, VerdictKind::faster, {}};
            all->push_back(run);
        }
        return all;
    }
    Result<std::vector<Exchange>> exchanges(std::optional<KernelId>, std::optional<ExperimentId>) const override {
        return std::vector<Exchange>{};
    }
    std::atomic<bool> isConfirmed{false};

private:
    PopulationPtr m_population;
    std::shared_ptr<const CampaignQueries> m_sample;
};

} // namespace

class ComparisonTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void cleanupTestCase() { m_gui.reset(); }
    void cleanup() { GuiTest::failOnWarnings(); }

    void withoutAComparisonThePairIsTheTable();
    void aClickLeavesThePairInPlace();
    void addedKernelsAreColumns();
    void aColumnIsSelectedMovedAndRemovedByKey();
    void greenMeansFasterAlone();
    void theTableIsCopiedAsCsv();
    void theUnifiedTextFollowsThePair();
    void machineCodeIsComparedBesideTheWindow();
    void kernelsAreAddedFromTheLineage();
    void theHeadlineSaysWhetherItIsConfirmed();

private:
    using Stage = PanelStage<ComparePanel>;

    static void open(const Stage& stage, Tab tab) {
        stage.part<QTabBar>("compareViews")->setCurrentIndex(tab);
        stage.settle();
    }
    static ComparisonModel* model(const Stage& stage) {
        return static_cast<ComparisonModel*>(stage.part<QTableView>("comparisonTable")->model());
    }
    static QString heads(const Stage& stage) {
        QStringList texts;
        for (int column = 1; column < model(stage)->columnCount(); ++column) {
            texts << model(stage)->headerData(column, Qt::Horizontal).toString();
        }
        return texts.join(QStringLiteral(" | "));
    }
    static QModelIndex cell(const Stage& stage, const QString& name, int column) {
        for (int row = 0; row < model(stage)->rowCount(); ++row) {
            if (model(stage)->index(row, 0).data().toString() == name) {
                return model(stage)->index(row, column);
            }
        }
        return {};
    }

    std::unique_ptr<GuiTest> m_gui;
};

void ComparisonTest::withoutAComparisonThePairIsTheTable() {
    Stage stage({1000, 700}, 12);
    open(stage, tableTab);
    QCOMPARE(heads(stage), QStringLiteral("00007 | 00012 best"));
    QCOMPARE(cell(stage, QStringLiteral("geometric mean"), 2).data().toString(),
             QStringLiteral("271 us ±0.3 %\n1.16x [1.14, 1.18]"));
    QCOMPARE(cell(stage, QStringLiteral("VGPR"), 2).data().toString(), QStringLiteral("112  (+20)"));
    QVERIFY(cell(stage, QStringLiteral("m=64 n=64 k=128"), 1).isValid()); // dims in the pack's order
    stage.selection.setPair(5, 1);                                        // wrong
    stage.settle();
    QCOMPARE(cell(stage, QStringLiteral("geometric mean"), 2).data().toString(), QStringLiteral("wrong"));
}

void ComparisonTest::aClickLeavesThePairInPlace() {
    Stage stage({1000, 700}, 12);
    open(stage, tableTab);
    auto* head = stage.part<QTableView>("comparisonTable")->horizontalHeader();
    for (const auto& [section, kernel] : {std::pair{1, KernelId{7}}, std::pair{2, KernelId{12}}}) {
        QTest::mouseClick(head->viewport(), Qt::LeftButton, Qt::NoModifier,
                          {head->sectionViewportPosition(section) + 20, head->height() / 2});
        stage.settle();
        QCOMPARE(stage.selection.primary(), std::optional<KernelId>(kernel));
        QCOMPARE(heads(stage), QStringLiteral("00007 | 00012 best"));
    }
}

void ComparisonTest::addedKernelsAreColumns() {
    Stage stage({1000, 700}, 12);
    const QAbstractItemModelTester tester(model(stage), QAbstractItemModelTester::FailureReportingMode::Fatal);
    stage.selection.setCompared({1, 4, 7, 12, 4});
    stage.settle();
    QCOMPARE(stage.part<QTabBar>("compareViews")->currentIndex(), static_cast<int>(tableTab));
    QCOMPARE(heads(stage), QStringLiteral("00001 baseline | 00004 | 00007 | 00012 best"));
    QCOMPARE(model(stage)->headerData(0, Qt::Vertical).toString(), QStringLiteral("Time, speed over 00001"));
    // A chain of paired runs leads from 00012 to 00001, and no run measured the two.
    QVERIFY(cell(stage, QStringLiteral("geometric mean"), 4).data().toString().contains(QStringLiteral("\n~ 6.74x [")));
    QVERIFY(stage.part<QLabel>("comparisonNotes")->text().contains(QStringLiteral("CPU timings.")));
    stage.selection.select(9); // the table stays while one looks elsewhere
    stage.settle();
    QCOMPARE(model(stage)->columnCount(), 5);
    stage.selection.select(1); // with the baseline there is no pair, and still the table
    stage.settle();
    QVERIFY(stage.part<QTableView>("comparisonTable")->isVisible());
    std::vector<KernelId> all;
    for (KernelId id = 1; id <= 18; ++id) {
        all.push_back(id);
    }
    stage.selection.setCompared(all);
    stage.settle();
    QCOMPARE(model(stage)->columnCount(), static_cast<int>(mostCompared) + 1);
}

void ComparisonTest::aColumnIsSelectedMovedAndRemovedByKey() {
    Stage stage({1000, 700}, 12);
    stage.selection.setCompared({1, 4, 7});
    stage.settle();
    auto* table = stage.part<QTableView>("comparisonTable");
    table->setFocus();
    table->setCurrentIndex(cell(stage, QStringLiteral("geometric mean"), 2));
    QTest::keyClick(table, Qt::Key_Return);
    QCOMPARE(stage.selection.primary(), std::optional<KernelId>(4));
    stage.actions.action("compare.first")->trigger();
    stage.settle();
    QCOMPARE(heads(stage), QStringLiteral("00004 | 00001 baseline | 00007"));
    table->setCurrentIndex(cell(stage, QStringLiteral("geometric mean"), 3));
    QVERIFY(stage.actions.action("compare.remove")->isEnabled());
    stage.actions.action("compare.remove")->trigger();
    stage.settle();
    QCOMPARE(stage.selection.compared(), (std::vector<KernelId>{4, 1}));
    auto* head = table->horizontalHeader();
    const auto click = [&](int section, Qt::KeyboardModifiers keys) {
        const QPoint at(head->sectionViewportPosition(section) + 20, head->height() / 2);
        QTest::mouseClick(head->viewport(), Qt::LeftButton, keys, at);
    };
    click(2, Qt::NoModifier);
    QCOMPARE(stage.selection.primary(), std::optional<KernelId>(1));
    stage.actions.action("compare.clear")->trigger();
    stage.settle();
    QVERIFY(stage.selection.compared().empty() && !stage.actions.action("compare.clear")->isEnabled());
}

void ComparisonTest::greenMeansFasterAlone() {
    Stage stage({1000, 700}, 12);
    stage.selection.setCompared({4, 7, 6, 9});
    stage.settle();
    const Palette& palette = Theme::instance().palette();
    const QString mean = QStringLiteral("geometric mean");
    const auto color = [&](const QString& name, int column) {
        return cell(stage, name, column).data(Qt::ForegroundRole).value<QColor>();
    };
    QCOMPARE(color(mean, 2), palette.faster);
    QCOMPARE(color(mean, 3), palette.slower);
    QVERIFY(!cell(stage, mean, 1).data(Qt::ForegroundRole).isValid()); // the others are against it
    QVERIFY(cell(stage, QStringLiteral("VGPR"), 2).data().toString().contains(QLatin1Char('+')));
    QVERIFY(!cell(stage, QStringLiteral("VGPR"), 2).data(Qt::ForegroundRole).isValid());
}

void ComparisonTest::theTableIsCopiedAsCsv() {
    Stage stage({1000, 700}, 12);
    stage.selection.setCompared({1, 12});
    stage.settle();
    stage.actions.action("compare.copy-csv")->trigger();
    const QString csv = QGuiApplication::clipboard()->text();
    QVERIFY2(csv.startsWith(QStringLiteral("group,name,kernel,title,unit,")), qPrintable(csv));
    QVERIFY2(csv.contains(QStringLiteral("\"geometric mean\",00012,\"pad LDS rows by 16 bytes\",us,271.2,")),
             qPrintable(csv));
}

void ComparisonTest::theUnifiedTextFollowsThePair() {
    Stage stage({1000, 700}, 12);
    open(stage, unifiedTab);
    const auto* unified = stage.part<UnifiedView>("compareUnified");
    QTRY_VERIFY2(QString::fromStdString(unified->source()).startsWith(QStringLiteral("--- 00007\n+++ 00012\n@@ ")),
                 unified->source().c_str());
    QVERIFY(unified->source().find("\n-    __shared__ float As[TILE_M][TILE_K];\n+    __shared__ float "
                                   "As[2][TILE_M][TILE_K + 4];\n") != std::string::npos);
    stage.selection.setPair(12, 1);
    QTRY_VERIFY(QString::fromStdString(unified->source()).startsWith(QStringLiteral("--- 00001\n+++ 00012\n")));
}

void ComparisonTest::machineCodeIsComparedBesideTheWindow() {
    Stage stage({1000, 700}, 12);
    const std::string own = stage.bridge.population()->kernel(12)->source.orNothing();
    std::atomic<bool> isInWindow{false};
    stage.panel->machineCode().setLister([&](const ListingRequest& request, const std::stop_token&) {
        isInWindow = isInWindow || QThread::currentThread() == QCoreApplication::instance()->thread();
        SourceListing listing;
        listing.report.emplace();
        MachineFunction function{"solve", {{"s_barrier", InstructionCost::barrier, 0, 1, {}}}};
        if (request.source == own) {
            function.instructions.push_back({"v_mfma_f32_32x32x16_fp8_fp8 a[0:15]", InstructionCost::matrix, 4, 2, {}});
        }
        listing.code = MachineCode{"gfx942", {function}, false};
        return Result<SourceListing>(listing);
    });
    open(stage, machineCodeTab);
    const DiffView& view = stage.panel->machineCode().view();
    QTRY_COMPARE(view.diff().addedLines, 1);
    QVERIFY(!isInWindow);
    const auto* about = stage.part<QLabel>("compareCodeAbout");
    QVERIFY2(about->text().contains(QStringLiteral("matrix&nbsp;0&nbsp;\u2192&nbsp;1")), qPrintable(about->text()));
    QVERIFY(stage.part<QLabel>("compareChanges")->text().startsWith(QStringLiteral("+1 ")));
    stage.panel->machineCode().setLister([](const ListingRequest&, const std::stop_token&) -> Result<SourceListing> {
        SourceListing listing;
        listing.failure = "the compiler failed";
        return listing;
    });
    stage.selection.setPair(9, 4);
    QTRY_VERIFY2(about->text().contains(QStringLiteral("the compiler failed")), qPrintable(about->text()));
    QVERIFY(!view.isVisible() && !stage.part<QLabel>("compareChanges")->isVisible()); // not "no difference"
}

void ComparisonTest::kernelsAreAddedFromTheLineage() {
    RecordingBridge bridge(QStringLiteral("sample.gks"));
    SelectionContext selection;
    ActionCollection actions;
    QWidget home;
    const KernelActions kernelActions({&bridge, &selection, &actions}, &home);
    QStringList pages;
    connect(&selection, &SelectionContext::pageRequested, this, [&](const QString& page) { pages << page; });
    QAction* add = actions.action("kernel.add-to-comparison");
    selection.select(7);
    selection.setSecond(4); // Ctrl+click
    add->trigger();
    QCOMPARE(selection.compared(), (std::vector<KernelId>{4, 7}));
    QCOMPARE(pages, QStringList{QStringLiteral("compare")});
    selection.select(12);
    add->trigger();
    QCOMPARE(selection.compared(), (std::vector<KernelId>{4, 7, 12}));
    QCOMPARE(add->text(), QStringLiteral("Remove from co&mparison"));
    add->trigger();
    QCOMPARE(selection.compared(), (std::vector<KernelId>{4, 7}));
    QCOMPARE(actions.action("kernel.confirm")->text(), QStringLiteral("Measure beside baseline 00001 on all &shapes"));
}

void ComparisonTest::theHeadlineSaysWhetherItIsConfirmed() {
    PanelStage<StatusStrip> stage({1600, 30});
    const auto* headline = stage.part<QLabel>("statusHeadline");
    QCOMPARE(headline->text(), QStringLiteral("best 00012: 6.74x [6.53, 6.95] not confirmed, by all paired runs over "
                                              "baseline 00001 naive, one thread per output, CPU timings"));
    const auto queries = std::make_shared<ConfirmedQueries>(stage.bridge);
    queries->isConfirmed = true;
    stage.bridge.setQueries(queries);
    stage.publish([](Population& population) { ++population.kernels.edit(11).evaluations; });
    QTRY_COMPARE(headline->text(),
                 QStringLiteral("best 00012: 6.50x [6.40, 6.60] confirmed, faster than baseline 00001 "
                                "naive, one thread per output, CPU timings"));
}

QTEST_MAIN(ComparisonTest)
#include "comparison_test.moc"
