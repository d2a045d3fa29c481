// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gui_test.h"
#include "tests/support/panel_stage.h"
#include "widgets/code/plan_panel.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QTableView>
#include <memory>

using namespace gks;

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

private:
    static QStringList column(const QTableView* table, int at, int role = Qt::DisplayRole) {
        QStringList cells;
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            cells.append(table->model()->index(row, at).data(role).toString());
        }
        return cells;
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

void PlanTest::anEmptyPageSaysWhy() {
    PanelStage<PlanPanel> stage({1000, 700});
    const auto says = [&](const char* text) {
        for (const QLabel* label : stage.panel->findChildren<QLabel*>()) {
            if (label->isVisible() && label->text().contains(QLatin1String(text))) {
                return true;
            }
        }
        return false;
    };
    QVERIFY(says("Select a kernel"));
    stage.selection.select(1); // measured by an earlier version
    stage.settle();
    QVERIFY(says("evaluated without one"));
    stage.selection.select(16); // waits
    stage.settle();
    QVERIFY(says("when this kernel is evaluated"));
    QVERIFY(!stage.part<QTableView>("planTable")->isVisible());
}

QTEST_MAIN(PlanTest)
#include "plan_test.moc"
