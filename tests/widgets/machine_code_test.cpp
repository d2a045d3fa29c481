// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/device_record.h"
#include "tests/support/gui_test.h"
#include "tests/support/panel_stage.h"
#include "widgets/code/kernel_listings.h"
#include "widgets/code/live_compile.h"
#include "widgets/code/machine_code_model.h"
#include "widgets/code/machine_code_panel.h"
#include "widgets/code/source_editor.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QLabel>
#include <QTableView>
#include <algorithm>
#include <atomic>
#include <memory>

using namespace gks;

namespace {

constexpr KernelId shown = 12; // its parent is 00007
std::atomic<int> compiled{0};

// The first kernel that is asked for has three instructions, on lines 2, 2 and 1; every other one has one.
Result<SourceListing> listed(const ListingRequest& request, const std::string& own) {
    ++compiled;
    MachineFunction function{"solve(Problem)", {{"v_add_f32_e32 v1, v2, v3", InstructionCost::arithmetic, 0, 2, {}}}};
    if (request.source == own) {
        function.instructions.push_back({"scratch_store_dword off, v1", InstructionCost::scratch, 4, 2, {}});
        function.instructions.push_back({"s_barrier", InstructionCost::barrier, 12, 1, {}});
    }
    SourceListing listing;
    listing.report.emplace();
    listing.code = MachineCode{request.architecture, {function}, false};
    return listing;
}

} // namespace

class MachineCodeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void cleanupTestCase() { m_gui.reset(); }
    void cleanup() { GuiTest::failOnWarnings(); }

    void aLineLeadsToItsInstructionsAndBack();
    void costsStandAgainstTheParent();
    void whatDoesNotCompileSaysWhy();
    void theDeviceThatMeasuredIsAskedFor();
    void instructionsHaveTheRoom();

private:
    using Stage = PanelStage<MachineCodePanel>;

    static void open(Stage& stage) {
        const std::string own = stage.bridge.population()->kernel(shown)->source.orNothing();
        stage.panel->setLister(
            [own](const ListingRequest& request, const std::stop_token&) { return listed(request, own); });
        stage.selection.select(shown);
        stage.settle();
    }
    static int litRows(const QTableView* table) {
        int lit = 0;
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            lit += table->model()->index(row, 0).data(Qt::BackgroundRole).isValid() ? 1 : 0;
        }
        return lit;
    }

    std::unique_ptr<GuiTest> m_gui;
};

void MachineCodeTest::aLineLeadsToItsInstructionsAndBack() {
    Stage stage({1000, 700});
    open(stage);
    auto* table = stage.part<QTableView>("machineCodeTable");
    auto* source = stage.part<SourceEditor>("machineCodeSource");
    const QAbstractItemModelTester tester(table->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(table->model()->rowCount(), 4); // and the name of the function
    QVERIFY2(source->lines() > 2, qPrintable(source->text()));
    source->setCursorPosition(1, 0);
    QTRY_COMPARE(litRows(table), 2);
    table->setCurrentIndex(table->model()->index(3, 0));
    int line = -1;
    int column = -1;
    source->getCursorPosition(&line, &column);
    QCOMPARE(line, 0);
    QCOMPARE(litRows(table), 1);
}

void MachineCodeTest::costsStandAgainstTheParent() {
    Stage stage({1000, 700});
    compiled = 0;
    open(stage);
    const QString costs =
        stage.part<QLabel>("machineCodeCosts")->text().replace(QStringLiteral("&nbsp;"), QStringLiteral(" "));
    QVERIFY2(costs.contains(QStringLiteral("scratch 0 \u2192 1")) && costs.contains(QStringLiteral("arithmetic 1<")) &&
                 costs.contains(QStringLiteral("against 00007")),
             qPrintable(costs));
    QVERIFY(stage.part<QCheckBox>("machineCodeCompare")->isEnabled());
    stage.selection.select(7);
    stage.settle();
    const int before = compiled;
    stage.selection.select(shown); // both are known
    stage.settle();
    QCOMPARE(compiled.load(), before);
}

void MachineCodeTest::whatDoesNotCompileSaysWhy() {
    Stage stage({1000, 700});
    stage.panel->setLister([](const ListingRequest&, const std::stop_token&) -> Result<SourceListing> {
        SourceListing listing;
        listing.failure = "1 error";
        return listing;
    });
    stage.selection.select(shown);
    stage.settle();
    const auto labels = stage.panel->findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
        return label->isVisible() && label->text().contains(QStringLiteral("1 error"));
    }));
    QVERIFY(!stage.part<QTableView>("machineCodeTable")->isVisible());
}

// An NVIDIA kernel is no AMD kernel without code: its own compiler is asked, and what it says is shown.
void MachineCodeTest::theDeviceThatMeasuredIsAskedFor() {
    Verdict verdict;
    QCOMPARE(listedArchitecture(TargetKind::nvidia, nullptr), std::string("sm_90"));
    QCOMPARE(listedArchitecture(TargetKind::cpu, nullptr), std::string("gfx942"));
    verdict.staticReport.emplace();
    verdict.staticReport->architecture = "gfx90a";
    QCOMPARE(listedArchitecture(TargetKind::amd, &verdict), std::string("gfx90a"));
    QCOMPARE(listedArchitecture(TargetKind::nvidia, &verdict), std::string("sm_90")); // it is AMD's report
    Device card;
    card.target = TargetKind::nvidia;
    card.name = "NVIDIA A100";
    card.architecture = "sm_80";
    recordDevice(card, verdict);
    QCOMPARE(listedArchitecture(TargetKind::nvidia, &verdict), std::string("sm_80"));

    ListedKernel none;
    none.architecture = "sm_80";
    none.listing = tl::unexpected(Error{ErrorKind::infrastructure, "nvcc was not found", "toolchain", "Install it"});
    none.assembled = {{"_Z5scalePf", 40, 0, 64, 2048, 1}};
    const QString text = noCodeText(none);
    QVERIFY2(text.contains(QStringLiteral("sm_80")) && text.contains(QStringLiteral("nvcc was not found")) &&
                 text.contains(QStringLiteral("scale(float*), 40 registers, 2 KiB shared, 64 B spilled")),
             qPrintable(text));
    QVERIFY(!text.contains(QStringLiteral("gfx942")));

    Stage stage({1000, 700});
    stage.publish([](Population& population) { population.settings.judgedByHarness = true; });
    open(stage);
    const auto labels = stage.panel->findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
        return label->isVisible() && label->text().contains(QStringLiteral("A command pack has none"));
    }));
}

void MachineCodeTest::instructionsHaveTheRoom() {
    Stage stage({620, 500});
    open(stage);
    const auto* table = stage.part<QTableView>("machineCodeTable");
    QTRY_VERIFY(table->isColumnHidden(MachineCodeModel::costColumn));
    stage.panel->resize(1600, 500);
    QTRY_VERIFY(!table->isColumnHidden(MachineCodeModel::costColumn));
    QVERIFY(!table->isColumnHidden(MachineCodeModel::offsetColumn));
}

QTEST_MAIN(MachineCodeTest)
#include "machine_code_test.moc"
