// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gui_test.h"
#include "tests/support/panel_stage.h"
#include "widgets/code/plan_panel.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSemaphore>
#include <QTableView>
#include <algorithm>
#include <memory>

using namespace gks;

namespace {

constexpr KernelId heldKernel = 7;

// The sample's answers; plans of one kernel come when the test lets them, or cannot be read.
class HeldQueries final : public CampaignQueries {
public:
    HeldQueries(std::shared_ptr<const CampaignQueries> sample, bool isUnreadable)
        : m_sample(std::move(sample)), m_isUnreadable(isUnreadable) {}

    Result<std::vector<Evaluation>> evaluations(KernelId kernel) const override {
        return m_sample->evaluations(kernel);
    }
    Result<std::vector<Exchange>> exchanges(std::optional<KernelId> kernel,
                                            std::optional<ExperimentId> experiment) const override {
        return m_sample->exchanges(kernel, experiment);
    }
    Result<std::shared_ptr<const RecordedPlans>> newestPlans(KernelId kernel) const override {
        if (kernel != heldKernel) {
            return m_sample->newestPlans(kernel);
        }
        if (m_isUnreadable) {
            return usageError("version 9 is newer than this program", "launch_plan");
        }
        asked.release();
        answered.acquire();
        return m_sample->newestPlans(kernel);
    }

    mutable QSemaphore asked;
    mutable QSemaphore answered;

private:
    std::shared_ptr<const CampaignQueries> m_sample;
    bool m_isUnreadable;
};

} // namespace

class PlanTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_gui = std::make_unique<GuiTest>(); }
    void cleanupTestCase() { m_gui.reset(); }
    void cleanup() { GuiTest::failOnWarnings(); }

    void differencesAreMarkedBySignAndWord();
    void comparingCanBeLeftOut();
    void theShapeStaysWithTheNextKernel();
    void anEmptyPageSaysWhy();
    void plansStayUnderTheirOwnName();
    void aPlanThatCannotBeReadIsNotMissing();

private:
    static QStringList column(const QTableView* table, int at, int role = Qt::DisplayRole) {
        QStringList cells;
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            cells.append(table->model()->index(row, at).data(role).toString());
        }
        return cells;
    }

    static bool says(const PanelStage<PlanPanel>& stage, const char* text) {
        const auto labels = stage.panel->findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
            return label->isVisible() && label->text().contains(QLatin1String(text));
        });
    }

    std::unique_ptr<GuiTest> m_gui;
};

// 00012 has a second stream and a table written once; its parent 00007 has neither.
void PlanTest::differencesAreMarkedBySignAndWord() {
    PanelStage<PlanPanel> stage({1000, 700}, 12);
    const auto* plan = stage.part<QTableView>("planTable");
    const QAbstractItemModelTester tester(plan->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(column(plan, 0).join(QString()), QStringLiteral("  +++++"));
    QCOMPARE(column(plan, 0, Qt::AccessibleTextRole).mid(1, 2), QStringList({QString(), QStringLiteral("added")}));
    QCOMPARE(column(plan, 1), QStringList({"fill", "launch", "record", "wait", "launch", "record", "wait"}));
    QVERIFY(column(plan, 7).at(1).contains(QStringLiteral("c, ")));
    const auto* setup = stage.part<QTableView>("planSetup");
    QVERIFY(setup->isVisible());
    QCOMPARE(column(setup, 0), QStringList({QStringLiteral("+")}));
    QCOMPARE(stage.part<QLabel>("planChanges")->text(), QStringLiteral("vs 00007: 6 added, 0 removed, 0 changed"));
    QCOMPARE(stage.part<QLabel>("planSolveTime")->text(),
             QStringLiteral("solve() took 2.75 us, the first time 41.5 us"));
    stage.selection.select(4); // its parent 00002 has one launch with larger blocks
    stage.settle();
    QCOMPARE(column(plan, 0).join(QString()), QStringLiteral("+~"));
    QCOMPARE(column(plan, 4).at(1), QStringLiteral("256 -> 128"));
    QVERIFY(!setup->isVisible());
}

void PlanTest::comparingCanBeLeftOut() {
    PanelStage<PlanPanel> stage({1000, 700}, 12);
    const auto* plan = stage.part<QTableView>("planTable");
    stage.part<QCheckBox>("planCompare")->setChecked(false);
    QCOMPARE(column(plan, 0).join(QString()), QStringLiteral("       "));
    QVERIFY(stage.part<QLabel>("planChanges")->text().isEmpty());
    stage.selection.select(2); // its parent is none: a seed
    stage.settle();
    QVERIFY(!stage.part<QCheckBox>("planCompare")->isEnabled());
    QCOMPARE(stage.part<QLabel>("planChanges")->text(), QStringLiteral("no parent"));
}

void PlanTest::theShapeStaysWithTheNextKernel() {
    PanelStage<PlanPanel> stage({1000, 700}, 12);
    auto* shape = stage.part<QComboBox>("planShape");
    QVERIFY(shape->count() > 1);
    shape->setCurrentIndex(1);
    const QString chosen = shape->currentText();
    const QString grid = column(stage.part<QTableView>("planTable"), 3).at(1);
    stage.selection.select(7);
    stage.settle();
    QCOMPARE(shape->currentText(), chosen);
    QCOMPARE(column(stage.part<QTableView>("planTable"), 3).at(1), grid);
}

// While the plans of the next kernel are read, people may still choose among those that stand there.
void PlanTest::plansStayUnderTheirOwnName() {
    PanelStage<PlanPanel> stage({1000, 700}, 12);
    const auto queries = std::make_shared<HeldQueries>(stage.bridge.queries(), false);
    stage.bridge.setQueries(queries);
    const auto* plan = stage.part<QTableView>("planTable");
    const auto* name = stage.part<QLabel>("planKernel");
    const int rows = plan->model()->rowCount();
    stage.selection.select(heldKernel);
    QTRY_COMPARE(queries->asked.available(), 1);
    stage.part<QCheckBox>("planCompare")->setChecked(false);
    const QString held = name->text();
    const int heldRows = plan->model()->rowCount();
    queries->answered.release();
    stage.settle();
    QVERIFY2(held.startsWith(QStringLiteral("00012")), qPrintable(held));
    QCOMPARE(heldRows, rows);
    QVERIFY2(name->text().startsWith(QStringLiteral("00007")), qPrintable(name->text()));
    QVERIFY(plan->model()->rowCount() < rows);
}

void PlanTest::aPlanThatCannotBeReadIsNotMissing() {
    PanelStage<PlanPanel> stage({1000, 700});
    stage.bridge.setQueries(std::make_shared<HeldQueries>(stage.bridge.queries(), true));
    stage.selection.select(heldKernel);
    stage.settle();
    QVERIFY(says(stage, "The launch plan cannot be read"));
    QVERIFY(says(stage, "newer than this program"));
    QVERIFY(!says(stage, "No launch plan yet"));
    stage.selection.select(12); // its parent
    stage.settle();
    QVERIFY(stage.part<QTableView>("planTable")->isVisible());
    QCOMPARE(stage.part<QLabel>("planChanges")->text(), QStringLiteral("no plan of the parent can be shown"));
}

void PlanTest::anEmptyPageSaysWhy() {
    PanelStage<PlanPanel> stage({1000, 700});
    QVERIFY(says(stage, "Select a kernel"));
    stage.selection.select(1); // measured by an earlier version
    stage.settle();
    QVERIFY(says(stage, "evaluated without one"));
    stage.selection.select(16); // waits
    stage.settle();
    QVERIFY(says(stage, "when this kernel is evaluated"));
    QVERIFY(!stage.part<QTableView>("planTable")->isVisible());
    stage.publish([](Population& population) { population.settings.judgedByHarness = true; });
    stage.selection.select(1);
    stage.settle();
    QVERIFY(says(stage, "its own harness launches the kernel") && !says(stage, "evaluated without one"));
}

QTEST_MAIN(PlanTest)
#include "plan_test.moc"
